/**
 * Speech this much louder than the agent's voice in the microphone is the customer's: a power ratio of 7 dB.
 */
const ABOVE = 5;
/** Sound this much louder cannot be the agent's voice: 20 dB. */
const FAR_ABOVE = 100;
/** Frames count only after this many without an onset: the beginning of speech is not echo. */
const SETTLED_FRAMES = 10;
/** Frames needed to know the level: 0.6 s contain a syllable. */
const FRAMES_THAT_TELL = 19;
/** Remember 4 s of the agent's voice: after that a new headset or a lower volume has been learnt. */
const FRAMES_KEPT = 125;
/** The level is the 90th percentile of the frames, so that a short cough or a door does not count. */
const LOUD_SHARE = 0.9;

/**
 * Learns how loud the agent's own voice is in this customer's microphone: where echo cancellation fails or
 * leaks, it returns from the loudspeaker. Learns frame by frame (32 ms) while only the agent speaks. With
 * headphones the level is that of the room, which any speech exceeds.
 */
export class AgentEcho {
  #powers: number[] = [];
  #unsettled: number[] = [];

  /** Takes one frame's mean power while only the agent's voice is audible. */
  hear(power: number): void {
    this.#unsettled.push(power);
    if (this.#unsettled.length <= SETTLED_FRAMES) return;
    this.#powers.push(this.#unsettled.shift() ?? 0);
    if (this.#powers.length > FRAMES_KEPT) this.#powers.shift();
  }

  /** A customer speaks or the agent is silent: drops the last frames, which may not be the agent's voice. */
  forgetUnsettled(): void {
    this.#unsettled = [];
  }

  /**
   * Takes the frames of sound that turned out to be the agent's voice: if louder than the known level, they
   * replace it.
   */
  learn(powers: readonly number[]): void {
    if (powers.length === 0 || (this.#isKnown() && loudOf(powers) <= this.#level())) return;
    this.#powers = Array.from(
      { length: Math.max(FRAMES_THAT_TELL, powers.length) },
      (_, index) => powers[index % powers.length] ?? 0,
    ).slice(-FRAMES_KEPT);
  }

  /** Whether sound of this power may be only the agent's voice. False while the level is unknown. */
  covers(power: number): boolean {
    return this.#isKnown() && power < this.#level() * ABOVE;
  }

  /** Whether sound of this power is too loud for the agent's voice. False while the level is unknown. */
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
