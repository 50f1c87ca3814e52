import { useCallback, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import type { ShownMessage } from '../api.ts';
import { ConversationPlayer, type PlayerState } from './conversation-player.ts';
import { buildTimeline, type Timeline } from './timeline.ts';

export interface Listening {
  player: ConversationPlayer;
  timeline: Timeline;
  /** Reports the length of a recording that the server does not know, in seconds. */
  measure: (messageId: string, seconds: number) => void;
  renew: (messageId: string) => Promise<string | null>;
}

/** Seconds. */
const TOLERANCE = 0.15;

/**
 * A player for one conversation.
 * @param messages the shown ones, oldest first
 * @param reload loads the conversation again, with newly signed links
 */
export function useConversationPlayer(
  messages: readonly ShownMessage[],
  reload: () => Promise<readonly ShownMessage[]>,
): Listening {
  const [measured, setMeasured] = useState<ReadonlyMap<string, number>>(new Map());
  const timeline = useMemo(() => buildTimeline(messages, measured), [messages, measured]);
  const latest = useRef(timeline);
  useEffect(() => {
    latest.current = timeline;
  }, [timeline]);
  const measure = useCallback((id: string, seconds: number) => {
    const turn = latest.current.turns.find((each) => each.id === id);
    // The server's length differs by the silence that decoders keep: ignores that.
    if (!turn || (!turn.isGuessed && Math.abs(turn.length - seconds) < TOLERANCE)) return;
    setMeasured((before) => new Map([...before, [id, seconds]]));
  }, []);
  const renew = useCallback(
    async (id: string) => (await reload()).find(({ _id }) => _id === id)?.audioUrl ?? null,
    [reload],
  );
  const player = useMemo(
    () => new ConversationPlayer({ createMedia: () => new Audio(), renew, onMeasured: measure }),
    [renew, measure],
  );
  useEffect(() => player.setTimeline(timeline), [player, timeline]);
  useEffect(() => () => player.release(), [player]);
  return useMemo(() => ({ player, timeline, measure, renew }), [player, timeline, measure, renew]);
}

/** One value of the player: a component redraws only when it changes. */
export function usePlayer<T extends string | number | boolean | null>(
  player: ConversationPlayer,
  select: (state: PlayerState) => T,
): T {
  return useSyncExternalStore(player.subscribe, () => select(player.read()));
}
