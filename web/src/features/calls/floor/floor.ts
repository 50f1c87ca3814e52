import { logProblem } from '#web/lib/log';
import type { PlayerEvent } from '#web/lib/loudspeaker/audio-player';
import type { PlayoutPosition } from '#web/lib/loudspeaker/reply-playout';
import type { Realtime } from '#web/lib/server/socket';
import type { CallAction } from '../state/call-reducer.ts';
import type { CallState } from '../state/call-state.ts';
import type { AgentEntry } from '../state/entries.ts';
import type { Loudspeaker } from './loudspeaker.ts';

interface FloorOptions {
  loudspeaker: Pick<Loudspeaker, 'hold' | 'release' | 'stop' | 'expectNoMore' | 'wasReplayed'>;
  channel: Pick<Realtime, 'interrupt' | 'playback'>;
  getState: () => Pick<CallState, 'conversationId' | 'entries' | 'held'>;
  dispatch: (action: CallAction) => void;
}

/**
 * A `release` or `interrupt` follows a `hold` within this time; otherwise something is wrong, and the agent continues.
 */
const HELD_AT_MOST_MS = 10_000;

/**
 * Applies the floor to the loudspeaker (`floor-state.ts` has the phases): obeys the server's decisions and the person's
 * own button at once, and reports to the server what is playing.
 */
export class Floor {
  readonly #options: FloorOptions;
  #limit: ReturnType<typeof setTimeout> | undefined;
  /** Replies whose playing has been allowed. */
  readonly #begun = new Set<string>();
  /** The reply that the server believes to be playing. */
  #told: string | null = null;

  constructor(options: FloorOptions) {
    this.#options = options;
  }

  /** The customer speaks over the agent: pauses it at once. */
  hold(): void {
    this.#options.loudspeaker.hold();
    this.#options.dispatch({ type: 'held', held: true });
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.release(), HELD_AT_MOST_MS);
  }

  /** A false interruption, such as a "mhm": the agent continues where it paused. */
  release(): void {
    clearTimeout(this.#limit);
    this.#options.loudspeaker.release();
    this.#options.dispatch({ type: 'held', held: false });
  }

  /**
   * Stops the agent's voice for all known replies; their texts stay whole.
   * @returns the playout position of the reply that was playing; null without one
   */
  stop(): PlayoutPosition | null {
    const position = this.#options.loudspeaker.stop(this.#replies().map(({ id }) => id));
    this.release();
    return position;
  }

  /** Stops the agent's voice and cuts the reply, here and on the server, to the part that was played. */
  interrupt(): void {
    const underWay = this.#replyUnderWay();
    const position = this.stop();
    const { dispatch, channel, loudspeaker, getState } = this.#options;
    const { conversationId } = getState();
    const reply = position ? this.#replies().find(({ id }) => id === position.replyId) : underWay;
    if (!conversationId || !reply || reply.interrupted) return;
    const { id: replyId, messageId, text } = reply;
    // A welcome, an old reply or a replay is complete already: there is nothing to cut.
    if (messageId === replyId || loudspeaker.wasReplayed(replyId)) return;
    dispatch({ type: 'interrupted', replyId, interrupted: true });
    channel
      .interrupt({ conversationId, responseId: replyId, heardMs: position?.playedMs ?? 0 })
      .then((ack) => {
        if (!ack.ok || ack.message === undefined) return;
        // A reply that was already stored may have been played completely.
        const interrupted = messageId === null || ack.message !== text;
        dispatch({ type: 'interrupted', replyId, interrupted, text: ack.message });
      })
      .catch((error: unknown) => logProblem('The server was not told of the interruption.', error));
  }

  /** Handles an event of the loudspeaker. */
  played(event: PlayerEvent): void {
    if (event.type === 'reply-started') this.#begun.add(event.replyId);
    if (event.type === 'sentence-started' && this.#told !== event.replyId) this.#tell(event.replyId);
    if (event.type === 'reply-ended' && this.#told === event.replyId) this.#tell(null);
    this.#options.dispatch(event);
  }

  /**
   * A reply in progress is lost with the channel: plays the rest of its received sound. The server sends it again as
   * text.
   */
  channelLost(): void {
    this.#options.loudspeaker.expectNoMore(this.#replies().map(({ id }) => id));
    this.release();
  }

  channelBack(): void {
    if (this.#told !== null) this.#tell(this.#told);
  }

  close(): void {
    clearTimeout(this.#limit);
  }

  /** Reports to the server what is playing, so that it notices speech over it. */
  #tell(responseId: string | null): void {
    this.#told = responseId;
    const { conversationId } = this.#options.getState();
    if (conversationId !== null) this.#options.channel.playback({ conversationId, responseId });
  }

  #replies(): AgentEntry[] {
    return this.#options.getState().entries.filter((entry) => entry.kind === 'agent');
  }

  /** The newest reply, if it is still being made or was kept back because the customer continues to speak. */
  #replyUnderWay(): AgentEntry | null {
    const { entries, held } = this.#options.getState();
    const last = entries.at(-1);
    if (last?.kind !== 'agent') return null;
    return last.messageId === null || (held && !this.#begun.has(last.id)) ? last : null;
  }
}
