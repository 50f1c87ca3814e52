import { untilAborted } from './wait.ts';

/** How long somebody else is waited for, all in all: what is done between two waits does not count. */
export class Patience {
  readonly #controller = new AbortController();
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Aborts when the patience is at its end. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for something.
   * @param mostMs for this alone
   * @throws what it throws; the signal's reason
   */
  async during<T>(work: Promise<T>, mostMs = Number.POSITIVE_INFINITY): Promise<T> {
    const from = performance.now();
    const end = () => this.#controller.abort(new DOMException('The time is up.', 'TimeoutError'));
    const timer = setTimeout(end, Math.max(0, Math.min(this.#leftMs, mostMs)));
    try {
      return await untilAborted(work, this.signal);
    } finally {
      clearTimeout(timer);
      this.#leftMs -= performance.now() - from;
    }
  }
}
