import { rateLimited } from '#server/lib/errors';

interface PaceOptions {
  /** How far ahead of real time sound may come, in milliseconds of sound. */
  aheadMs: number;
  /** How much faster than real time it may come in the long run. */
  speed: number;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** Limits how fast the sound of a stream may come. */
export class Pace {
  readonly #options: PaceOptions;
  #aheadMs = 0;
  #at: number;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#at = options.now();
  }

  /** @throws AppError rate-limited for sound that comes too early: it is not accepted, and may be sent again */
  admit(durationMs: number): void {
    const { aheadMs, speed, now } = this.#options;
    const at = now();
    this.#aheadMs = Math.max(0, this.#aheadMs - (at - this.#at) * speed);
    this.#at = at;
    const tooEarlyMs = this.#aheadMs + durationMs - aheadMs;
    if (tooEarlyMs > 0) throw tooFast(tooEarlyMs / speed);
    this.#aheadMs += durationMs;
  }
}

/** It was not accepted and may be sent again. */
export const tooFast = (waitMs: number) => rateLimited(Math.ceil(waitMs), 'calls.sound-too-fast');
