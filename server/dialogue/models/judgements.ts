import type { Judge, Judgement } from './judge.ts';

const keyOf = (sentence: string, cited: readonly number[]) => `${cited.join()} ${sentence}`;

/** Judges each sentence of a reply once, also before it is known to be whole: by the time that is known it is judged. */
export class Judgements {
  readonly #open: () => Promise<Judge>;
  #judge: Promise<Judge> | null = null;
  readonly #known = new Map<string, Judgement>();

  /** @param open makes the judge of what sentences may rest on by then */
  constructor(open: () => Promise<Judge>) {
    this.#open = open;
  }

  /** @throws what `open` throws */
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

  /** Begins what takes a while to be known of a sentence. */
  async prepare(sentence: string): Promise<void> {
    try {
      const judgement = (await this.judge())(sentence, []);
      if (judgement.is === 'statement') await judgement.strictly();
    } catch {
      // Whoever waits for it is told.
    }
  }

  /** Whether a sentence was found to state nothing that could be wrong. */
  isFree(sentence: string, cited: readonly number[]): boolean {
    return this.#known.get(keyOf(sentence, cited))?.is === 'free';
  }

  /** More was told that sentences may rest on: all are judged anew. */
  forget(): void {
    this.#judge = null;
    this.#known.clear();
  }
}
