import { type RefObject, useCallback, useEffect, useRef, useState } from 'react';
import { useMedia } from '#web/lib/use-media';
import type { ConversationPlayer } from './conversation-player.ts';
import { usePlayer } from './use-conversation-player.ts';

/**
 * Keeps the playing line in view until the listener scrolls; playing or seeking follows again.
 * @param list holds the lines, each with its message's id as `data-turn`
 * @returns a function that follows again; null while it follows
 */
export function useFollow(
  player: ConversationPlayer,
  list: RefObject<HTMLElement | null>,
): (() => void) | null {
  const turnId = usePlayer(player, (state) => state.turnId);
  const isPlaying = usePlayer(player, (state) => state.phase !== 'stopped');
  const isStill = useMedia('(prefers-reduced-motion: reduce)');
  const [isFollowing, setFollowing] = useState(true);
  const follows = useRef(true);

  const show = useCallback(
    (id: string | null) =>
      list.current
        ?.querySelector(`[data-turn="${CSS.escape(id ?? '')}"]`)
        ?.scrollIntoView({ block: 'center', behavior: isStill ? 'auto' : 'smooth' }),
    [list, isStill],
  );
  const set = useCallback((next: boolean) => {
    follows.current = next;
    setFollowing(next);
  }, []);

  useEffect(() => {
    if (isPlaying && follows.current) show(turnId);
  }, [turnId, isPlaying, show]);

  useEffect(() => {
    if (isPlaying) set(true);
  }, [isPlaying, set]);

  useEffect(() => {
    if (!isPlaying) return;
    const letGo = () => set(false);
    const events = ['wheel', 'touchmove'] as const;
    for (const event of events) window.addEventListener(event, letGo, { passive: true });
    return () => {
      for (const event of events) window.removeEventListener(event, letGo);
    };
  }, [isPlaying, set]);

  const follow = useCallback(() => {
    set(true);
    show(player.read().turnId);
  }, [player, set, show]);
  return isFollowing ? null : follow;
}
