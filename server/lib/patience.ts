import { untilAborted } from './wait.ts';

/** A total time limit for waiting; work between two waits does not count. */
export class Patience {
  readonly #controller = new AbortController();
  #leftMs: number;

  constructor(ms: number) {
    this.#leftMs = ms;
  }

  /** Aborts when the limit is used up. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /**
   * Waits for a promise.
   * @param mostMs limit for this wait alone
   * @throws the promise's error; the signal's reason
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
