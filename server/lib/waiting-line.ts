/** Until something was done: first words on two cores. */
const FIRST_GUESS_MS = 300;
/** How much the newest one counts for the pace. */
const NEWEST = 0.3;
/** What is there sooner was remembered, and no work. */
const REMEMBERED_MS = 20;

interface Place {
  /** Nobody is before it. */
  readonly isNext: boolean;
  /** A second call does nothing. @param done whether its work was done */
  leave(done: boolean): void;
}

/** Those who wait for an engine that does the work of one after the other, and how long the next would wait. */
export class WaitingLine {
  /** Places, and the work that each is. */
  readonly #places = new Map<Place, number>();
  readonly #now: () => number;
  /** Of one unit of work. */
  #paceMs: number;
  #lastDoneAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock in milliseconds @param firstGuessMs what a unit of work takes until one was done */
  constructor(now: () => number = () => performance.now(), firstGuessMs = FIRST_GUESS_MS) {
    this.#now = now;
    this.#paceMs = firstGuessMs;
  }

  /** How long who comes now would wait until it is their turn, in milliseconds. */
  get waitMs(): number {
    return this.waitMsBeside(0);
  }

  /** The same for who has stood in line already, with so much of the work. */
  waitMsBeside(own: number): number {
    let work = 0;
    for (const each of this.#places.values()) work += each;
    return (work - own) * this.#paceMs;
  }

  /** @param work units of it: one reply, or the seconds of a recording, as long as it is the same for all */
  join(work = 1): Place {
    const places = this.#places;
    const joinedAt = this.#now();
    const place: Place = {
      get isNext() {
        return places.keys().next().value === place;
      },
      leave: (done) => {
        if (!places.delete(place) || !done) return;
        const tookMs = this.#now() - Math.max(joinedAt, this.#lastDoneAt);
        if (tookMs < REMEMBERED_MS) return;
        this.#lastDoneAt = this.#now();
        this.#paceMs += NEWEST * (tookMs / work - this.#paceMs);
      },
    };
    places.set(place, work);
    return place;
  }

  /** Stands in line while something is done, which counts for the pace unless it fails. @throws what it throws */
  async during<T>(task: () => Promise<T>, work = 1): Promise<T> {
    const place = this.join(work);
    try {
      const done = await task();
      place.leave(true);
      return done;
    } finally {
      place.leave(false);
    }
  }
}
