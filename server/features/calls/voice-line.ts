/** Until something was spoken: first words on two cores. */
const FIRST_GUESS_MS = 300;
/** How much the newest one counts for the pace. */
const NEWEST = 0.3;
/** What is there sooner was remembered, and no work. */
const REMEMBERED_MS = 20;

interface Place {
  /** Nobody is before it. */
  readonly isNext: boolean;
  /** A second call does nothing. @param spoken whether its words were made */
  leave(spoken: boolean): void;
}

/** Replies that wait for the voice to make their first words: it makes those of one after the other. */
export class VoiceLine {
  readonly #places = new Set<Place>();
  readonly #now: () => number;
  #paceMs = FIRST_GUESS_MS;
  #lastMadeAt = Number.NEGATIVE_INFINITY;

  /** @param now a clock in milliseconds */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** How long who comes now would wait until the voice begins, in milliseconds. */
  get waitMs(): number {
    return this.#places.size * this.#paceMs;
  }

  join(): Place {
    const places = this.#places;
    const joinedAt = this.#now();
    const place: Place = {
      get isNext() {
        return places.values().next().value === place;
      },
      leave: (spoken) => {
        if (!places.delete(place) || !spoken) return;
        const tookMs = this.#now() - Math.max(joinedAt, this.#lastMadeAt);
        if (tookMs < REMEMBERED_MS) return;
        this.#lastMadeAt = this.#now();
        this.#paceMs += NEWEST * (tookMs - this.#paceMs);
      },
    };
    places.add(place);
    return place;
  }
}
