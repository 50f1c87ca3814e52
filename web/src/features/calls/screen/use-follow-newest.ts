import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 48;

interface FollowNewest {
  /** Goes on the element that scrolls. */
  ref: RefObject<HTMLDivElement | null>;
  /** Something new came while the person was reading further up. */
  unseen: boolean;
  /** Goes down to the newest. */
  catchUp: () => void;
}

/**
 * Keeps the newest line in view for a person who is at the end, and leaves alone one who is reading back.
 * @param newest changes whenever something was added or grew
 * @param own changes whenever the person added something themselves, which always takes them to the end
 */
export function useFollowNewest(newest: string, own: number): FollowNewest {
  const ref = useRef<HTMLDivElement>(null);
  const atEnd = useRef(true);
  const [unseen, setUnseen] = useState(false);

  const catchUp = useCallback(() => {
    const element = ref.current;
    if (!element) return;
    atEnd.current = true;
    setUnseen(false);
    element.scrollTop = element.scrollHeight;
  }, []);

  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    const look = () => {
      atEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < NEAR_PX;
      if (atEnd.current) setUnseen(false);
    };
    element.addEventListener('scroll', look, { passive: true });
    // The keyboard of a phone, or a longer draft, takes room from below.
    const resized = new ResizeObserver(() => {
      if (atEnd.current) element.scrollTop = element.scrollHeight;
    });
    resized.observe(element);
    return () => {
      element.removeEventListener('scroll', look);
      resized.disconnect();
    };
  }, []);

  const seenOwn = useRef(own);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `newest` is what this waits for.
  useLayoutEffect(() => {
    const isOwn = seenOwn.current !== own;
    seenOwn.current = own;
    if (isOwn || atEnd.current) catchUp();
    else setUnseen(true);
  }, [newest, own, catchUp]);

  return { ref, unseen, catchUp };
}
