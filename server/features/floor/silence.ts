import type { WholeReply } from '#server/dialogue/contract';

/** How long a silence is left alone, in milliseconds. */
export interface SilenceLimits {
  /** Neither has spoken: the customer is asked whether they are still there. */
  silenceMs: number;
  /** The same, where the customer asked for a moment. */
  waitedForMs: number;
  /** Both have said goodbye: the call ends, unless the customer speaks again. */
  farewellMs: number;
}

export const defaultSilenceLimits: SilenceLimits = {
  silenceMs: 12_000,
  waitedForMs: 60_000,
  farewellMs: 2_500,
};

interface SilenceSurroundings {
  limits: SilenceLimits;
  /** Whether nobody speaks, nothing is heard, and no answer is on its way. */
  isQuiet(): boolean;
  /** Asks whether somebody is still there. Never rejects. @returns whether it was asked */
  ask(): Promise<boolean>;
  /** Ends the call. */
  end(): void;
}

/**
 * What a call does when nobody says anything: the customer is asked once whether they are still there, later where they
 * asked for a moment, and after a goodbye from both the call ends. Time counts from the last thing that happened.
 */
export class Silence {
  readonly #around: SilenceSurroundings;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;
  /** What the last reply leaves the call to. */
  #leavesTo: WholeReply['leavesTo'];
  #isOver = false;

  constructor(around: SilenceSurroundings) {
    this.#around = around;
  }

  /** Something begins or ends: where it is quiet now, the silence counts from here. */
  stir(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || !this.#around.isQuiet()) return;
    const { silenceMs, waitedForMs, farewellMs } = this.#around.limits;
    if (this.#leavesTo === 'end') this.#timer = setTimeout(() => this.#end(), farewellMs);
    else if (!this.#isAsked)
      this.#timer = setTimeout(() => void this.#ask(), this.#leavesTo === 'wait' ? waitedForMs : silenceMs);
  }

  /** The customer has said something. */
  spoke(): void {
    this.#leavesTo = undefined;
    this.#isAsked = false;
    this.stir();
  }

  /** The customer was answered. @param leavesTo what the reply leaves the call to */
  answered(leavesTo: WholeReply['leavesTo']): void {
    this.#leavesTo = leavesTo;
    this.#isAsked = false;
    this.stir();
  }

  /** The call is over, or nobody listens any more. */
  close(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #ask(): Promise<void> {
    this.#isAsked = true;
    if (!(await this.#around.ask())) this.#isAsked = false;
  }

  #end(): void {
    if (!this.#around.isQuiet()) return;
    this.close();
    this.#around.end();
  }
}
