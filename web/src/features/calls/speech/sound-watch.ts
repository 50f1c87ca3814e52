import { loudness } from '#web/lib/microphone/microphone';
import { hasSound } from './recording.ts';
import type { Samples } from './samples.ts';

/** A microphone that is on gives some noise; pure silence for this long means that it is off. */
const SOUNDLESS_SECONDS = 5;
const IDLE_SECONDS = 600;
/** Loudness that counts as speech without another detector, and for how many seconds it keeps counting. */
const SPEECH_LOUDNESS = 0.45;
const SPEECH_SECONDS = 0.5;

/** Watches the sound of a microphone by itself. */
export class SoundWatch {
  #loudness = 0;
  #soundlessSeconds = 0;
  #idleSeconds = 0;
  #speechSeconds = 0;

  /** @param sampleRate Hz */
  hear(samples: Samples, sampleRate: number): void {
    const seconds = samples.length / sampleRate;
    this.#loudness = loudness(samples);
    const isLoud = this.#loudness > SPEECH_LOUDNESS;
    this.#soundlessSeconds = hasSound(samples) ? 0 : this.#soundlessSeconds + seconds;
    this.#idleSeconds = isLoud ? 0 : this.#idleSeconds + seconds;
    this.#speechSeconds = isLoud ? SPEECH_SECONDS : this.#speechSeconds - seconds;
  }

  /** Current loudness, 0 to 1. */
  get loudness(): number {
    return this.#loudness;
  }

  /** Whether the microphone gives no sound at all. */
  get isMute(): boolean {
    return this.#soundlessSeconds > SOUNDLESS_SECONDS;
  }

  /** Whether there was no speech for ten minutes. */
  get isIdle(): boolean {
    return this.#idleSeconds > IDLE_SECONDS;
  }

  /** Whether there seems to be speech. */
  get isSpeech(): boolean {
    return this.#speechSeconds > 0;
  }
}
