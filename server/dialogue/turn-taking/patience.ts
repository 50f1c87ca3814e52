import type { Endpoint } from './endpointing.ts';

/** What is added at most for a customer who pauses long where a sentence could end. */
const MOST_MS = 450;
/** Kept beyond the pause that was too long for us. */
const MARGIN_MS = 80;
/** Each turn that went well takes back this share. */
const FORGIVEN = 0.25;
/** A pause inside a sentence from here on is one for thinking; each gives as much more time, up to so much. */
const THINKING_MS = 400;
const PER_PAUSE_MS = 80;
const MOST_FOR_PAUSES_MS = 240;

/** Learns, within one call, how long this customer pauses where a sentence seems complete. */
export class Patience {
  #extraMs = 0;

  /** Added to the short waits, in milliseconds. */
  get extraMs(): number {
    return Math.round(this.#extraMs);
  }

  /** The customer went on after a pause: one who thinks in mid-sentence does so at its end, too. */
  pausedInside(end: Endpoint, pauseMs: number): void {
    if (pauseMs >= THINKING_MS) this.#grow(Math.min(this.#extraMs + PER_PAUSE_MS, MOST_FOR_PAUSES_MS));
    if (pauseMs > end.waitMs * 0.7) this.#grow(pauseMs + MARGIN_MS - end.waitMs + this.#extraMs);
  }

  /**
   * The turn was taken in the customer's pause of this length.
   * @param end what was waited for then, patience included; null when that is not known
   */
  cutOff(end: Endpoint | null, pauseMs: number): void {
    this.#grow(pauseMs + MARGIN_MS - (end?.waitMs ?? 0) + this.#extraMs);
  }

  tookTurn(): void {
    this.#extraMs *= 1 - FORGIVEN;
  }

  #grow(extraMs: number): void {
    this.#extraMs = Math.min(MOST_MS, Math.max(this.#extraMs, extraMs));
  }
}
