import { Rate } from '#server/engines/rooms/embedded/rate';

/** Coming in costs connections, and everybody in the room is told: who loses the network comes back a few times a minute. */
const ARRIVALS = { perSecond: 1, atOnce: 20 };
/** Participants whose arrivals are counted; the ones counted longest ago are forgotten first. */
const MAX_COUNTED = 10_000;

/** How often participants come in, or come back. */
export class Arrivals {
  readonly #rates = new Map<string, Rate>();

  /** @returns whether this participant may come in now */
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
