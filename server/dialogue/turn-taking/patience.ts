import type { Endpoint } from './endpointing.ts';

/** What is added at most for a customer who pauses long where a sentence could end. */
const MOST_MS = 450;
/** Kept beyond the pause that was too long for us. */
const MARGIN_MS = 80;
/** Each turn that went well takes back this share. */
const FORGIVEN = 0.25;

/** Learns, within one call, how long this customer pauses where a sentence seems complete. */
export class Patience {
  #extraMs = 0;

  /** Added to the short waits, in milliseconds. */
  get extraMs(): number {
    return Math.round(this.#extraMs);
  }

  /** The customer went on after a pause that nearly counted as an end. */
  pausedInside(end: Endpoint, pauseMs: number): void {
    if (pauseMs > end.waitMs * 0.7) this.#grow(pauseMs + MARGIN_MS - end.waitMs + this.#extraMs);
  }

  /** The turn was taken in the customer's pause of this length. */
  cutOff(pauseMs: number): void {
    this.#grow(Math.min(pauseMs - 300 + MARGIN_MS, MOST_MS));
  }

  tookTurn(): void {
    this.#extraMs *= 1 - FORGIVEN;
  }

  #grow(extraMs: number): void {
    this.#extraMs = Math.min(MOST_MS, Math.max(this.#extraMs, extraMs));
  }
}
