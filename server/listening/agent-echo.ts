/** Speech so much louder than the agent's voice in the microphone is the customer's, as a factor of power: 7 dB. */
const ABOVE = 5;
/** So much louder, and it cannot be that voice: 20 dB. */
const FAR_ABOVE = 100;
/** What the microphone hears counts only after so many frames without an onset: the beginning of speech is no echo. */
const SETTLED_FRAMES = 10;
/** How loud it is shows in so many frames: 0.6 s have a syllable in them. */
const FRAMES_THAT_TELL = 19;
/** 4 s of the agent's voice are remembered: after that a headset that was put on, or a loudspeaker turned down, is known. */
const FRAMES_KEPT = 125;
/** The level is what a tenth of them exceed: a cough or a door among them is shorter than that. */
const LOUD_SHARE = 0.9;

/**
 * How loud the agent's own voice is in this customer's microphone: where echo cancellation fails or leaks, it comes back
 * from the loudspeaker. Learned frame by frame (32 ms) while the agent speaks and nobody else does. With headphones that
 * is the tone of the room, which any speech exceeds.
 */
export class AgentEcho {
  #powers: number[] = [];
  #unsettled: number[] = [];

  /** One frame's mean power while the agent's voice is heard and nobody else's. */
  hear(power: number): void {
    this.#unsettled.push(power);
    if (this.#unsettled.length <= SETTLED_FRAMES) return;
    this.#powers.push(this.#unsettled.shift() ?? 0);
    if (this.#powers.length > FRAMES_KEPT) this.#powers.shift();
  }

  /** Somebody speaks, or the agent is silent: the last frames were perhaps not its voice. */
  forgetUnsettled(): void {
    this.#unsettled = [];
  }

  /** The frames of what turned out to be the agent's voice: louder than what was known, they are what counts now. */
  learn(powers: readonly number[]): void {
    if (powers.length === 0 || (this.#isKnown() && loudOf(powers) <= this.#level())) return;
    this.#powers = Array.from(
      { length: Math.max(FRAMES_THAT_TELL, powers.length) },
      (_, index) => powers[index % powers.length] ?? 0,
    ).slice(-FRAMES_KEPT);
  }

  /** Whether sound of this power may be no more than the agent's voice. Never while its level is not known. */
  covers(power: number): boolean {
    return this.#isKnown() && power < this.#level() * ABOVE;
  }

  /** Whether sound of this power is too loud for the agent's voice. Never while its level is not known. */
  cannotBe(power: number): boolean {
    return this.#isKnown() && power >= this.#level() * FAR_ABOVE;
  }

  #isKnown(): boolean {
    return this.#powers.length >= FRAMES_THAT_TELL;
  }

  #level(): number {
    return loudOf(this.#powers);
  }
}

const loudOf = (powers: readonly number[]) =>
  [...powers].sort((a, b) => a - b)[Math.floor(powers.length * LOUD_SHARE)] ?? 0;
