/** How long what was replaced holds beside what took its place, in milliseconds: long enough to change it in the next place, too. */
const OVERLAP_MS = 10 * 60_000;

/** Something that is replaced while others still use the one before: that holds for a while beside it. */
export class Overlap<T> {
  #now: T;
  #before: { value: T; until: number } | null = null;
  readonly #clock: () => number;

  /** @param clock milliseconds that only grow */
  constructor(first: T, clock = () => performance.now()) {
    this.#now = first;
    this.#clock = clock;
  }

  replace(next: T): void {
    this.#before = { value: this.#now, until: this.#clock() + OVERLAP_MS };
    this.#now = next;
  }

  get now(): T {
    return this.#now;
  }

  /** All that hold, that of now first. */
  get valid(): T[] {
    if (this.#before && this.#clock() >= this.#before.until) this.#before = null;
    return this.#before ? [this.#now, this.#before.value] : [this.#now];
  }
}
