import { EngineError } from '#server/lib/engine-error';

/** First results that count as lately. */
const LATELY = 50;

/** How an engine did lately. */
export class Lately {
  readonly #last: number[] = [];
  #problem: string | null = null;

  /** It answered. @param ms from asking for it to the first of it, in milliseconds */
  answered(ms: number): void {
    this.#problem = null;
    this.#last.push(ms);
    if (this.#last.length > LATELY) this.#last.shift();
  }

  failed(error: unknown): void {
    this.#problem = error instanceof EngineError ? error.message : 'It reported an error.';
  }

  /** Median of its first results in whole milliseconds, and of how many; null before there was one. */
  get quick(): { ms: number; of: number } | null {
    const sorted = [...this.#last].sort((a, b) => a - b);
    const middle = sorted[Math.floor(sorted.length / 2)];
    return middle === undefined ? null : { ms: Math.round(middle), of: sorted.length };
  }

  /** Why it failed when it was asked last; null where it did not. */
  get problem(): string | null {
    return this.#problem;
  }
}
