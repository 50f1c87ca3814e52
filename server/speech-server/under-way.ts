import { busy } from './admission.ts';

/** Bounds how much of something is held at once, whoever it is for. */
export class UnderWay {
  readonly #most: number;
  readonly #refusal: string;
  readonly #passesMs: number;
  #amount = 0;

  /** @param refusal said to whoever is too much @param passesMs milliseconds after which it may work */
  constructor(most: number, refusal: string, passesMs: number) {
    this.#most = most;
    this.#refusal = refusal;
    this.#passesMs = passesMs;
  }

  /**
   * @returns gives it back; to be called once
   * @throws AppError (503) where it would be too much
   */
  hold(amount: number): () => void {
    if (this.#amount + amount > this.#most) throw busy(this.#refusal, this.#passesMs);
    this.#amount += amount;
    return () => {
      this.#amount -= amount;
    };
  }
}
