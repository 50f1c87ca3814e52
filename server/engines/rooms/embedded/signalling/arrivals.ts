import { Rate } from '#server/engines/rooms/embedded/rate';

/**
 * Entering costs connections and is announced to the whole room; a client on a bad network returns a few
 * times a minute.
 */
const ARRIVALS = { perSecond: 1, atOnce: 20 };
/** Most participants to count; the oldest counts are dropped first. */
const MAX_COUNTED = 10_000;

/** Limits how often a participant enters or returns. */
export class Arrivals {
  readonly #rates = new Map<string, Rate>();

  /** @returns whether this participant may enter now */
  take(room: string, identity: string): boolean {
    const key = JSON.stringify([room, identity]);
    const rate = this.#rates.get(key) ?? new Rate(ARRIVALS.perSecond, ARRIVALS.atOnce);
    this.#rates.delete(key);
    this.#rates.set(key, rate);
    for (const [oldest] of this.#rates) {
      if (this.#rates.size <= MAX_COUNTED) break;
      this.#rates.delete(oldest);
    }
    return rate.take();
  }
}
