import type { PlainKey } from '#shared/refusals/refusal';
import { busy } from './admission.ts';

/** Bounds how much of something is held at once, whoever it is for. */
export class UnderWay {
  readonly #most: number;
  readonly #ifTooMuch: PlainKey;
  readonly #passesMs: number;
  #amount = 0;

  /** @param ifTooMuch said to whoever is too much @param passesMs milliseconds after which it may work */
  constructor(most: number, ifTooMuch: PlainKey, passesMs: number) {
    this.#most = most;
    this.#ifTooMuch = ifTooMuch;
    this.#passesMs = passesMs;
  }

  /**
   * @returns gives it back; to be called once
   * @throws AppError (503) where it would be too much
   */
  hold(amount: number): () => void {
    if (this.#amount + amount > this.#most) throw busy(this.#ifTooMuch, this.#passesMs);
    this.#amount += amount;
    return () => {
      this.#amount -= amount;
    };
  }
}
