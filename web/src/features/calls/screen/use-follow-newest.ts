import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';

const NEAR_PX = 48;

interface FollowNewest {
  /** Ref of the scrolling element. */
  ref: RefObject<HTMLDivElement | null>;
  /** A new line arrived while the reader had scrolled up. */
  unseen: boolean;
  /** Scrolls to the newest line. */
  catchUp: () => void;
}

/**
 * Keeps the newest line in view for a reader at the end, and does not move one who has scrolled up.
 * @param newest changes whenever a line was added or grew
 * @param own changes whenever the reader added a line, which always scrolls to the end
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
