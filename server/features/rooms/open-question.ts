import type { Spoken } from './answers.ts';

/** A question among several people that nobody has taken up so far: after a while of silence it is the agent's. */
export class OpenQuestion {
  readonly #waitMs: number;
  readonly #isQuiet: () => boolean;
  readonly #onUnanswered: (question: Spoken) => void;
  #question: Spoken | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param isQuiet whether nobody speaks */
  constructor(waitMs: number, isQuiet: () => boolean, onUnanswered: (question: Spoken) => void) {
    this.#waitMs = waitMs;
    this.#isQuiet = isQuiet;
    this.#onUnanswered = onUnanswered;
  }

  get current(): Spoken | null {
    return this.#question;
  }

  set(question: Spoken | null): void {
    this.#question = question;
    this.wait();
  }

  /** Somebody speaks: perhaps an answer. */
  hold(): void {
    clearTimeout(this.#timer);
  }

  /** Nobody speaks any more: from now on the silence counts. */
  wait(): void {
    clearTimeout(this.#timer);
    if (!this.#question) return;
    this.#timer = setTimeout(() => {
      const question = this.#question;
      if (!question || !this.#isQuiet()) return;
      this.#question = null;
      this.#onUnanswered(question);
    }, this.#waitMs);
  }
}
