import { CLIP_RATE } from './speech-set.ts';

export interface AgentVoice {
  text: string;
  /** When it begins to play, on the clock of sound. */
  fromMs: number;
  durationMs: number;
  /** The part of it that the microphone picks up. */
  leak?: Float32Array;
}

/** From `hold` to silence at the loudspeaker: the way to the page and its sound buffer. */
const REACHES_MS = 120;

/** The page's loudspeaker: plays the agent's voice, pauses it when told to, and is picked up by the microphone. */
export class Loudspeaker {
  /** Tells turn-taking the agent's current words; null when its voice has ended. */
  readonly #says: (text: string | null) => void;
  #voice: AgentVoice | null;
  #playedMs = 0;
  #isTold = false;
  #isHeld = false;
  #isOver = false;
  #silentFromMs = Infinity;

  constructor(voice: AgentVoice | null, says: (text: string | null) => void) {
    this.#voice = voice;
    this.#says = says;
  }

  /** A reply that begins at `voice.fromMs`, or when it is released. */
  play(voice: AgentVoice): void {
    this.#voice = voice;
    this.#playedMs = 0;
    this.#isTold = false;
    this.#isOver = false;
    this.#silentFromMs = this.#isHeld ? 0 : Infinity;
  }

  hold(nowMs: number): void {
    this.#isHeld = true;
    this.#silentFromMs = this.#playedMs > 0 ? nowMs + REACHES_MS : 0;
  }

  release(): void {
    this.#isHeld = false;
    this.#silentFromMs = Infinity;
  }

  /** The current sound is its last. */
  interrupt(): void {
    this.#isHeld = false;
    this.#isOver = true;
    if (this.#isTold) this.#says(null);
    this.#isTold = false;
  }

  /** Plays on for the length of the chunk. @returns the microphone's sound: the chunk and the loudspeaker */
  over(chunk: Float32Array, nowMs: number): Float32Array {
    const voice = this.#voice;
    if (!voice || voice.fromMs > nowMs || nowMs >= this.#silentFromMs) return chunk;
    if (!this.#isTold && !this.#isOver) {
      this.#isTold = true;
      this.#says(voice.text);
    }
    const from = Math.round((this.#playedMs * CLIP_RATE) / 1_000);
    this.#playedMs += (chunk.length * 1_000) / CLIP_RATE;
    if (this.#playedMs >= voice.durationMs) {
      this.#voice = null;
      if (this.#isTold) this.#says(null);
      this.#isTold = false;
    }
    const { leak } = voice;
    return leak ? chunk.map((sample, index) => sample + (leak[from + index] ?? 0)) : chunk;
  }
}
