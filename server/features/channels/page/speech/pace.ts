import { rateLimited } from '#server/lib/errors';

interface PaceOptions {
  /** How far ahead of time sound may come, in milliseconds of sound. */
  aheadMs: number;
  /** How much faster than it was spoken it may come in the long run. */
  speed: number;
  /** Milliseconds that only ever grow. */
  now: () => number;
}

/** Keeps a stream of sound from coming faster than it can be worth hearing. */
export class Pace {
  readonly #options: PaceOptions;
  #aheadMs = 0;
  #at: number;

  constructor(options: PaceOptions) {
    this.#options = options;
    this.#at = options.now();
  }

  /** @throws AppError rate-limited for sound that comes too early: nothing is taken, and it may be sent again */
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

/** It was not taken and may be sent again. */
export const tooFast = (waitMs: number) => rateLimited(Math.ceil(waitMs), 'calls.sound-too-fast');
