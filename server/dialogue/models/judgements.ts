import type { Judge, Judgement } from './judge.ts';

const keyOf = (sentence: string, cited: readonly number[]) => `${cited.join()} ${sentence}`;

/**
 * Judges each sentence of a reply once, even before it is known to be complete, so that the judgement is ready by then.
 */
export class Judgements {
  readonly #open: () => Promise<Judge>;
  #judge: Promise<Judge> | null = null;
  readonly #known = new Map<string, Judgement>();

  /** @param open makes the judge from the current evidence */
  constructor(open: () => Promise<Judge>) {
    this.#open = open;
  }

  /** @throws errors of `open` */
  async judge(): Promise<Judge> {
    this.#judge ??= this.#open();
    const judge = await this.#judge;
    return (sentence, cited) => {
      const key = keyOf(sentence, cited);
      const known = this.#known.get(key);
      if (known) return known;
      const judgement = judge(sentence, cited);
      this.#known.set(key, judgement);
      return judgement;
    };
  }

  /** Begins the slow part of a judgement. */
  async prepare(sentence: string): Promise<void> {
    try {
      const judgement = (await this.judge())(sentence, []);
      if (judgement.is === 'statement') await judgement.strictly();
    } catch {
      // The error is thrown at the `await`.
    }
  }

  /** Whether a sentence was judged to have no claim that could be wrong. */
  isFree(sentence: string, cited: readonly number[]): boolean {
    return this.#known.get(keyOf(sentence, cited))?.is === 'free';
  }

  /** There is new evidence: judges all sentences again. */
  forget(): void {
    this.#judge = null;
    this.#known.clear();
  }
}
