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

/** `release` or `interrupt` follows a `hold` sooner than this, unless something is wrong: then the agent goes on. */
const HELD_AT_MOST_MS = 10_000;

/**
 * Keeps the floor at the loudspeaker (`floor-state.ts` says where a turn is): whoever judges, here the server and the
 * person's own button, is obeyed at once, and the server is told what is played.
 */
export class Floor {
  readonly #options: FloorOptions;
  #limit: ReturnType<typeof setTimeout> | undefined;
  /** Replies whose turn to be heard has come. */
  readonly #begun = new Set<string>();
  /** The reply the server believes to be played. */
  #told: string | null = null;

  constructor(options: FloorOptions) {
    this.#options = options;
  }

  /** The customer speaks over the agent: it pauses at once. */
  hold(): void {
    this.#options.loudspeaker.hold();
    this.#options.dispatch({ type: 'held', held: true });
    clearTimeout(this.#limit);
    this.#limit = setTimeout(() => this.release(), HELD_AT_MOST_MS);
  }

  /** A false interruption, such as a "mhm": the agent goes on where it was. */
  release(): void {
    clearTimeout(this.#limit);
    this.#options.loudspeaker.release();
    this.#options.dispatch({ type: 'held', held: false });
  }

  /**
   * Stops the agent's voice, now and for every reply that is known: each stays as it is, to be read.
   * @returns how far the reply that was playing had got; null when none was
   */
  stop(): PlayoutPosition | null {
    const position = this.#options.loudspeaker.stop(this.#replies().map(({ id }) => id));
    this.release();
    return position;
  }

  /** Stops the agent's voice and cuts the reply, here and on the server, to what was played of it. */
  interrupt(): void {
    const underWay = this.#replyUnderWay();
    const position = this.stop();
    const { dispatch, channel, loudspeaker, getState } = this.#options;
    const { conversationId } = getState();
    const reply = position ? this.#replies().find(({ id }) => id === position.replyId) : underWay;
    if (!conversationId || !reply || reply.interrupted) return;
    const { id: replyId, messageId, text } = reply;
    // A welcome, a reply read back and one heard again are not being made: there is nothing to cut.
    if (messageId === replyId || loudspeaker.wasReplayed(replyId)) return;
    dispatch({ type: 'interrupted', replyId, interrupted: true });
    channel
      .interrupt({ conversationId, responseId: replyId, heardMs: position?.playedMs ?? 0 })
      .then((ack) => {
        if (!ack.ok || ack.message === undefined) return;
        // Of what was stored already, everything may have been played.
        const interrupted = messageId === null || ack.message !== text;
        dispatch({ type: 'interrupted', replyId, interrupted, text: ack.message });
      })
      .catch((error: unknown) => logProblem('The server was not told of the interruption.', error));
  }

  /** What happened at the loudspeaker. */
  played(event: PlayerEvent): void {
    if (event.type === 'reply-started') this.#begun.add(event.replyId);
    if (event.type === 'sentence-started' && this.#told !== event.replyId) this.#tell(event.replyId);
    if (event.type === 'reply-ended' && this.#told === event.replyId) this.#tell(null);
    this.#options.dispatch(event);
  }

  /** What was under way is lost with the channel: what is here is played to its end. The server says it again as text. */
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

  /** Tells the server what is played, so that it knows when somebody speaks over it. */
  #tell(responseId: string | null): void {
    this.#told = responseId;
    const { conversationId } = this.#options.getState();
    if (conversationId !== null) this.#options.channel.playback({ conversationId, responseId });
  }

  #replies(): AgentEntry[] {
    return this.#options.getState().entries.filter((entry) => entry.kind === 'agent');
  }

  /** The newest reply, when it is still being made or was kept back for who goes on speaking. */
  #replyUnderWay(): AgentEntry | null {
    const { entries, held } = this.#options.getState();
    const last = entries.at(-1);
    if (last?.kind !== 'agent') return null;
    return last.messageId === null || (held && !this.#begun.has(last.id)) ? last : null;
  }
}
