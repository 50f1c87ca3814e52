/**
 * How long a replaced value stays valid beside the new one, in milliseconds: time to change it elsewhere,
 * too.
 */
const OVERLAP_MS = 10 * 60_000;

/** A value that is replaced while others still use the old one, which stays valid for a while. */
export class Overlap<T> {
  #now: T;
  #before: { value: T; until: number } | null = null;
  readonly #clock: () => number;

  /** @param clock monotonic, in milliseconds */
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

  /** All valid values, the current one first. */
  get valid(): T[] {
    if (this.#before && this.#clock() >= this.#before.until) this.#before = null;
    return this.#before ? [this.#now, this.#before.value] : [this.#now];
  }
}
