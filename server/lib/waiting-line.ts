/** The pace until something was done: first words on two cores. */
const FIRST_GUESS_MS = 300;
/** Weight of the newest result in the pace. */
const NEWEST = 0.3;
/** A quicker result came from a cache and is not work. */
const REMEMBERED_MS = 20;

interface Place {
  /** Nothing is queued before it. */
  readonly isNext: boolean;
  /** A second call does nothing. @param done whether its work was done */
  leave(done: boolean): void;
}

/** Estimates the waiting time for an engine that handles requests one after the other. */
export class WaitingLine {
  /** Places with their units of work. */
  readonly #places = new Map<Place, number>();
  readonly #now: () => number;
  /** Milliseconds per unit of work. */
  #paceMs: number;
  #lastDoneAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock in milliseconds @param firstGuessMs time per unit of work until one was measured */
  constructor(now: () => number = () => performance.now(), firstGuessMs = FIRST_GUESS_MS) {
    this.#now = now;
    this.#paceMs = firstGuessMs;
  }

  /** Expected waiting time of a new request, in milliseconds. */
  get waitMs(): number {
    return this.waitMsBeside(0);
  }

  /** The same for a request that is queued already, with this much work of its own. */
  waitMsBeside(own: number): number {
    let work = 0;
    for (const each of this.#places.values()) work += each;
    return (work - own) * this.#paceMs;
  }

  /** @param work units: one reply, or the seconds of a recording; the same unit for all */
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

  /** Queues a task, whose duration counts for the pace unless it fails. @throws the task's error */
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
