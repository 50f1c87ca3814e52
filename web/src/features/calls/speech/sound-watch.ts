import { loudness } from '#web/lib/microphone/microphone';
import { hasSound } from './recording.ts';
import type { Samples } from './samples.ts';

/** A microphone that is on gives some noise; one that gives none for this long is switched off. */
const SOUNDLESS_SECONDS = 5;
const IDLE_SECONDS = 600;
/** Loudness that counts as speech where nobody else tells, and for how many seconds it goes on counting. */
const SPEECH_LOUDNESS = 0.45;
const SPEECH_SECONDS = 0.5;

/** What the sound of a microphone tells by itself. */
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

  /** Loudness at this moment, 0 to 1. */
  get loudness(): number {
    return this.#loudness;
  }

  /** It comes without any sound at all. */
  get isMute(): boolean {
    return this.#soundlessSeconds > SOUNDLESS_SECONDS;
  }

  /** Nobody has spoken for ten minutes. */
  get isIdle(): boolean {
    return this.#idleSeconds > IDLE_SECONDS;
  }

  /** Somebody seems to speak. */
  get isSpeech(): boolean {
    return this.#speechSeconds > 0;
  }
}
