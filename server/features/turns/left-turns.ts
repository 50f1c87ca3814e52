import type { ConversationsService, LeftTurn } from '#server/features/conversations/service';
import { AppError } from '#server/lib/errors';
import type { CallsService } from './service.ts';

/** A client reconnects sooner than this, and then hears its answer as it is made. */
const AFTER_MS = 2_500;
const LOOK_MS = 1_000;
/** Older questions are answered only when they are asked again. */
const WITHIN_MINUTES = 10;
/** The turn itself may be what crashes instances. */
const MOST_TIMES = 3;

interface LeftTurnsOptions {
  conversations: Pick<ConversationsService, 'turnsLeft'>;
  calls: Pick<CallsService, 'takeUp'>;
  /** Called for turns that could not be taken up. */
  onFailure(error: unknown): void;
  afterMs?: number;
  lookMs?: number;
}

/** A turn that may be abandoned, from its event. */
type Taken = Pick<LeftTurn, 'messageId' | 'takenAs'>;

/**
 * Turns that were taken and are not answered yet. If no instance is answering one after a while, its instance has gone,
 * and it is taken up here.
 */
export class LeftTurns {
  readonly #options: LeftTurnsOptions;
  readonly #waiting = new Map<string, Taken & { dueAt: number }>();
  #signal: AbortSignal | null = null;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: LeftTurnsOptions) {
    this.#options = options;
  }

  /** Watches over turns, including earlier ones, until the signal aborts. */
  async begin(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    this.#waiting.clear();
    for (const left of await this.#options.conversations.turnsLeft(WITHIN_MINUTES, null)) this.taken(left);
  }

  taken({ messageId, takenAs }: Taken): void {
    const dueAt = performance.now() + (this.#options.afterMs ?? AFTER_MS);
    this.#waiting.set(messageId, { messageId, takenAs, dueAt });
    this.#lookSoon();
  }

  /** It has its reply, or failed and its client was told. */
  done(messageId: string): void {
    this.#waiting.delete(messageId);
  }

  #lookSoon(): void {
    if (this.#timer || this.#waiting.size === 0 || this.#signal?.aborted) return;
    this.#timer = setTimeout(async () => {
      await this.#look().catch(this.#options.onFailure);
      this.#timer = undefined;
      this.#lookSoon();
    }, this.#options.lookMs ?? LOOK_MS).unref();
  }

  /** Takes up due turns. Each stays here until it is answered: its new instance may go, too. */
  async #look(): Promise<void> {
    const now = performance.now();
    const due = [...this.#waiting.values()].filter(({ dueAt }) => dueAt <= now);
    if (due.length === 0) return;
    const since = Math.min(...due.map(({ takenAs }) => takenAs));
    const left = await this.#options.conversations.turnsLeft(WITHIN_MINUTES, since);
    for (const { messageId } of due) {
      const turn = left.find((each) => each.messageId === messageId);
      if (this.#signal?.aborted) return;
      if (turn && turn.times < MOST_TIMES) await this.#takeUp(turn);
      else this.done(messageId);
    }
  }

  async #takeUp(turn: LeftTurn): Promise<void> {
    try {
      await this.#options.calls.takeUp(turn);
    } catch (error) {
      // Its conversation is over by now, or this instance closes.
      if (!(error instanceof AppError)) throw error;
      this.done(turn.messageId);
    }
  }
}
