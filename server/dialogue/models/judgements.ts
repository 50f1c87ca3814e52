/** Why a sentence may not be said; null where nothing speaks against it. */
type Check = (sentence: string) => Promise<string | null>;

/** Judges each sentence of a reply once, also before it is known to be whole: by the time that is known it is judged. */
export class Judgements {
  readonly #open: () => Promise<Check>;
  #check: Promise<Check> | null = null;
  readonly #known = new Map<string, Promise<string | null>>();

  /** @param open makes the check of what sentences may rest on by then */
  constructor(open: () => Promise<Check>) {
    this.#open = open;
  }

  /** @throws what the check throws, also where nobody waited for it before */
  reasonAgainst(sentence: string): Promise<string | null> {
    const known = this.#known.get(sentence);
    if (known) return known;
    this.#check ??= this.#open();
    const judging = this.#check.then((check) => check(sentence));
    // Whoever waits for it is told.
    judging.catch(() => {});
    this.#known.set(sentence, judging);
    return judging;
  }

  /** More was told that sentences may rest on: all are judged anew. */
  forget(): void {
    this.#check = null;
    this.#known.clear();
  }
}
