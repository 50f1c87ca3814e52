import { MAX_RECORDING_BYTES } from '#shared/recordings';
import { toWav } from '#web/lib/microphone/wav';
import type { Samples } from './samples.ts';

/** Five minutes of speech are about 4,500 characters: half of the longest message. */
const MAX_SECONDS = 300;
const WAV_HEADER_BYTES = 44;
/** A switched-off microphone gives pure silence; even the quietest room gives more. */
const SOUNDLESS_PEAK = 1;

/** The sound of one push to talk: 16-bit samples of one channel. */
export class Recording {
  readonly sampleRate: number;
  readonly chunks: Samples[] = [];
  readonly #maxSamples: number;
  #samples = 0;
  #hasSound = false;

  /** @param sampleRate Hz */
  constructor(sampleRate: number) {
    this.sampleRate = sampleRate;
    const fitting = Math.floor((MAX_RECORDING_BYTES - WAV_HEADER_BYTES) / 2);
    this.#maxSamples = Math.min(MAX_SECONDS * sampleRate, fitting);
  }

  /** Adds sound; false once it is full. */
  add(chunk: Samples): boolean {
    if (this.isFull) return false;
    this.chunks.push(chunk);
    this.#samples += chunk.length;
    this.#hasSound ||= hasSound(chunk);
    return !this.isFull;
  }

  /** Whether it has the greatest length. */
  get isFull(): boolean {
    return this.#samples >= this.#maxSamples;
  }

  /** Whether it holds any sound that could be recognised. */
  get hasSound(): boolean {
    return this.#hasSound;
  }

  get seconds(): number {
    return this.#samples / this.sampleRate;
  }

  toWav(): File {
    return toWav(this.chunks, this.sampleRate);
  }
}

/** Whether these samples come from a microphone that is on. */
export function hasSound(chunk: Samples): boolean {
  return chunk.some((sample) => Math.abs(sample) > SOUNDLESS_PEAK);
}
