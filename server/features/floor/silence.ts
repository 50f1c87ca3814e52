import type { WholeReply } from '#server/dialogue/contract';

/** Lengths of silence before the agent acts, in milliseconds. */
export interface SilenceLimits {
  /** Both are silent: the customer is asked whether they are still there. */
  silenceMs: number;
  /** The same, after the customer asked for a moment. */
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
  /** Whether all are silent, nothing is playing, and no answer is on its way. */
  isQuiet(): boolean;
  /** Asks whether the customer is still there. Never rejects. @returns whether it was asked */
  ask(): Promise<boolean>;
  /** Ends the call. */
  end(): void;
}

/**
 * Acts on silence in a call: asks the customer once whether they are still there, later if they asked for a moment, and
 * ends the call after a goodbye from both. Time counts from the last activity.
 */
export class Silence {
  readonly #around: SilenceSurroundings;
  #timer: NodeJS.Timeout | undefined;
  #isAsked = false;
  /** What the last reply expects next. */
  #leavesTo: WholeReply['leavesTo'];
  #isOver = false;

  constructor(around: SilenceSurroundings) {
    this.#around = around;
  }

  /** An activity begins or ends: if it is quiet now, the silence counts from here. */
  stir(): void {
    clearTimeout(this.#timer);
    if (this.#isOver || !this.#around.isQuiet()) return;
    const { silenceMs, waitedForMs, farewellMs } = this.#around.limits;
    if (this.#leavesTo === 'end') this.#timer = setTimeout(() => this.#end(), farewellMs);
    else if (!this.#isAsked)
      this.#timer = setTimeout(() => void this.#ask(), this.#leavesTo === 'wait' ? waitedForMs : silenceMs);
  }

  /** The customer has spoken. */
  spoke(): void {
    this.#leavesTo = undefined;
    this.#isAsked = false;
    this.stir();
  }

  /** The customer was answered. @param leavesTo what the reply expects next */
  answered(leavesTo: WholeReply['leavesTo']): void {
    this.#leavesTo = leavesTo;
    this.#isAsked = false;
    this.stir();
  }

  /** The call is over, or its listener has gone. */
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
