import { EngineError } from '#server/lib/engine-error';

/** Number of recent first results that count. */
const LATELY = 50;

/** An engine's recent performance. */
export class Lately {
  readonly #last: number[] = [];
  #problem: string | null = null;

  /** Records an answer. @param ms from the request to the first result, in milliseconds */
  answered(ms: number): void {
    this.#problem = null;
    this.#last.push(ms);
    if (this.#last.length > LATELY) this.#last.shift();
  }

  failed(error: unknown): void {
    this.#problem = error instanceof EngineError ? error.message : 'It reported an error.';
  }

  /**
   * Median time to the first result in whole milliseconds, and the number of samples; null without samples.
   */
  get quick(): { ms: number; of: number } | null {
    const sorted = [...this.#last].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle === undefined ? null : { ms: Math.round(middle), of: sorted.length };
  }

  /** Why the last request failed; null if it succeeded. */
  get problem(): string | null {
    return this.#problem;
  }
}
