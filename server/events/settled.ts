/** The state of the table at one moment. */
export interface Horizon {
  /** The newest visible event. */
  newest: number;
  /** Open transactions that write events. */
  writers: readonly string[];
}

/**
 * The event before which no other can appear any more. An id is taken before its transaction ends, so a lower one may
 * appear after a higher one: visible events count once every transaction open at that time has ended.
 */
export class Settled {
  #upTo = 0;
  #awaited: { upTo: number; writers: readonly string[] } | null = null;

  get upTo(): number {
    return this.#upTo;
  }

  /** Whether more events are visible than count yet. */
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
