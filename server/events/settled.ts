/** What is seen of the table at one moment. */
export interface Horizon {
  /** The newest event that is seen. */
  newest: number;
  /** Transactions that write events and have not ended. */
  writers: readonly string[];
}

/**
 * Up to which event nothing can come in between any more. An id is taken before its transaction ends, so a lower one may be seen
 * after a higher one: whatever is seen counts once every transaction has ended that was open then.
 */
export class Settled {
  #upTo = 0;
  #awaited: { upTo: number; writers: readonly string[] } | null = null;

  get upTo(): number {
    return this.#upTo;
  }

  /** Whether more was seen than counts yet. */
  get isWaiting(): boolean {
    return this.#awaited !== null;
  }

  see({ newest, writers }: Horizon): void {
    const awaited = this.#awaited;
    if (awaited && !awaited.writers.some((writer) => writers.includes(writer))) {
      this.#upTo = awaited.upTo;
      this.#awaited = null;
    }
    if (newest <= this.#upTo) return;
    if (writers.length === 0) {
      this.#upTo = newest;
      this.#awaited = null;
    } else this.#awaited ??= { upTo: newest, writers };
  }
}
