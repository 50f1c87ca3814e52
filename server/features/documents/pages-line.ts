import type { SharedState } from '#server/engines/shared-state/contract';

/** Pages that are read at once, of all users. */
const AT_ONCE = 2;

interface PagesLineOptions {
  read(userId: string, id: string): Promise<void>;
  /** A page is read by one instance at a time. */
  sharedState: Pick<SharedState, 'take'>;
  closing: AbortSignal;
  onFailure(error: unknown): void;
}

/** Web pages that wait to be read, a few at once. */
export class PagesLine {
  readonly #options: PagesLineOptions;
  readonly #waiting: { userId: string; id: string }[] = [];
  readonly #running = new Set<Promise<void>>();

  constructor(options: PagesLineOptions) {
    this.#options = options;
  }

  soon(userId: string, id: string): void {
    this.#waiting.push({ userId, id });
    if (this.#running.size >= AT_ONCE) return;
    const work = this.#readWaiting().finally(() => this.#running.delete(work));
    this.#running.add(work);
  }

  /** What is under way; none rejects. */
  get running(): Promise<void>[] {
    return [...this.#running];
  }

  async #readWaiting(): Promise<void> {
    const { closing, onFailure } = this.#options;
    for (let next = this.#waiting.shift(); next && !closing.aborted; next = this.#waiting.shift())
      await this.#readAlone(next.userId, next.id).catch(onFailure);
  }

  async #readAlone(userId: string, id: string): Promise<void> {
    const { sharedState, read } = this.#options;
    const seat = await sharedState.take(`document ${id}`, 1);
    if (!seat) return;
    try {
      await read(userId, id);
    } finally {
      seat.release();
    }
  }
}
