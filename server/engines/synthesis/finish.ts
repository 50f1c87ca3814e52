import type { Sound } from '#server/audio/sound';

/** Rate of the voice, in Hz: Piper's own. */
export const SAMPLE_RATE = 22_050;

const samplesOf = (ms: number) => Math.round((ms * SAMPLE_RATE) / 1_000);

const FRAME = samplesOf(10);
/**
 * Sound this far below the loudest moment is breath and room, not speech; the voice's own noise floor is 37
 * dB below.
 */
const EDGE_DB = 30;
/**
 * Sound this far above that edge is surely speech; softer sound counts as speech only this close before it.
 */
const SURE_DB = 10;
const ALONE_FRAMES = 4;
/** Kept before and after the speech, so that soft consonants at its ends stay whole. */
const KEEP_BEFORE = samplesOf(25);
const KEEP_AFTER = samplesOf(60);
const FADE_IN = samplesOf(5);
const FADE_OUT = samplesOf(25);

/**
 * Target loudness of the voiced part. −18 dBFS matches other sounds of a page; peaks stay 1 dB below full
 * scale.
 */
const TARGET_DB = -18;
const MAX_PEAK = 10 ** (-1 / 20);
const MAX_GAIN = 10 ** (12 / 20);
const VOICED_DB = 25;
/**
 * The voice's usual loudness weighs as much as 0.6 s of speech, so that one loud syllable does not make the
 * rest too soft.
 */
const USUAL_FRAMES = 60;
/** The loudest 10 ms are this far above the loudness: median of 27 sentences, which range from 4 to 11. */
const LOUDEST_DB = 7;
/** Below the usual loudness by this much, speech has not begun. */
const SPEECH_WITHIN_DB = 15;
/** The quiet moment is searched in the last part of the sound so far. */
const QUIET_FROM = 0.6;

/** Pause in milliseconds after a phrase, by its closing mark. */
const PAUSE_MS: Readonly<Record<string, number>> = {
  '.': 220,
  '!': 220,
  '?': 240,
  ':': 160,
  ';': 160,
  ',': 110,
};
const NO_MARK_PAUSE_MS = 40;
const SILENCE_MS = 50;

/** Milliseconds of silence after words with this ending. */
export const pauseAfter = (words: string) => PAUSE_MS[words.trimEnd().at(-1) ?? ''] ?? NO_MARK_PAUSE_MS;

/** Sound of a text with nothing to say. */
export const momentOfSilence = (): Sound => ({
  samples: new Float32Array(samplesOf(SILENCE_MS)),
  sampleRate: SAMPLE_RATE,
});

/**
 * Prepares raw speech for joining: cuts silence at both ends, softens edges, evens loudness without clipping,
 * and adds a natural pause.
 * @param samples mono at 22,050 Hz
 */
export function finishSpeech(samples: Float32Array, pauseMs: number): Float32Array {
  const finish = new SpeechFinish(null);
  finish.add(samples);
  return finish.end(pauseMs);
}

/** Loudness of the voiced part, in dB relative to full scale; null for silence. */
export const loudnessOf = (samples: Float32Array): number | null => voicedDb(frameLevels(samples));

/** `finishSpeech` for speech that arrives in parts: the output joins without a seam. */
export class SpeechFinish {
  /** The voice's usual loudness in dB: needed to scale the first words before the others are known. */
  readonly #usualDb: number | null;
  /** Received but not yet given out. */
  #open = new Float32Array(0);
  /** Mean square of each 10 ms given out. */
  #levels: number[] = [];
  #gain: number | null = null;
  #givenOut = 0;

  constructor(usualDb: number | null) {
    this.#usualDb = usualDb;
  }

  /** Input samples given out or cut off. */
  get givenOut(): number {
    return this.#givenOut;
  }

  /** Input loudness of the sound given out; null for silence. */
  get loudnessDb(): number | null {
    return voicedDb(this.#levels);
  }

  add(samples: Float32Array): void {
    this.#open = joined(this.#open, samples);
  }

  /**
   * Finished speech up to the quietest moment near the end of the input, where a delay of the next part is
   * least audible. Empty before speech begins; silence after speech is held back, since it may be the end.
   */
  upToQuiet(): Float32Array {
    const all = frameLevels(this.#open);
    if (this.#gain === null && !this.#isSpeech(all)) return new Float32Array(0);
    const edge = this.#edgeOf([...this.#levels, ...all]);
    const spoken = all.findLastIndex((level) => level >= edge) + 1 + Math.floor(KEEP_AFTER / FRAME);
    const levels = all.slice(0, spoken);
    const end = Math.min(this.#open.length, quietest(levels, Math.floor(levels.length * QUIET_FROM)) * FRAME);
    const part = this.#open.subarray(0, end);
    this.#open = this.#open.slice(end);
    return this.#finished(part, false, 0);
  }

  /** The rest, and the pause after it. */
  end(pauseMs: number): Float32Array {
    return this.#finished(this.#open, true, samplesOf(pauseMs));
  }

  /**
   * Mean square below which sound is not speech. With a soft first word alone, its breath would count as
   * speech, so the voice's usual loudest moment is included if known.
   */
  #edgeOf(levels: readonly number[]): number {
    const usual =
      this.#usualDb !== null && this.#isSpeech(levels) ? 10 ** ((this.#usualDb + LOUDEST_DB) / 10) : 0;
    return Math.max(usual, loudestOf(levels)) * 10 ** (-EDGE_DB / 10);
  }

  #isSpeech(levels: readonly number[]): boolean {
    const loudestDb = decibels(loudestOf(levels));
    return this.#usualDb === null || loudestDb > this.#usualDb - SPEECH_WITHIN_DB;
  }

  #finished(samples: Float32Array, isEnd: boolean, pause: number): Float32Array {
    const isStart = this.#gain === null;
    this.#givenOut += samples.length;
    const levels = frameLevels(samples);
    this.#levels.push(...levels);
    const edge = this.#edgeOf(this.#levels);
    if (edge === 0) return new Float32Array(pause);
    const last = levels.findLastIndex((level) => level >= edge);
    const start = isStart ? Math.max(0, onset(levels, edge) * FRAME - KEEP_BEFORE) : 0;
    const end = isEnd ? Math.min(samples.length, (last + 1) * FRAME + KEEP_AFTER) : samples.length;
    const gain = this.#gainFor(samples);
    const from = this.#gain ?? gain;
    this.#gain = gain;
    const finished = new Float32Array(end - start + pause);
    for (let index = start; index < end; index++) {
      const fadeIn = isStart ? (index - start + 1) / FADE_IN : 1;
      const fadeOut = isEnd ? (end - index) / FADE_OUT : 1;
      const swell = from + ((gain - from) * (index - start)) / (end - start);
      finished[index - start] = (samples[index] ?? 0) * swell * Math.min(1, fadeIn, fadeOut);
    }
    return finished;
  }

  #gainFor(samples: Float32Array): number {
    const measuredDb = voicedDb(this.#levels) ?? 0;
    const weight = this.#usualDb === null ? 0 : USUAL_FRAMES;
    const db =
      ((this.#usualDb ?? 0) * weight + measuredDb * this.#levels.length) / (weight + this.#levels.length);
    let peak = 0;
    for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
    return Math.min(10 ** ((TARGET_DB - db) / 20), MAX_PEAK / peak, MAX_GAIN);
  }
}

const loudestOf = (levels: readonly number[]) => levels.reduce((max, level) => Math.max(max, level), 0);

/** The 10 ms frame at which speech begins: ignores a breath that is briefly as loud as soft speech. */
function onset(levels: readonly number[], edge: number): number {
  const sure = levels.findIndex((level) => level >= edge * 10 ** (SURE_DB / 10));
  if (sure === -1) return levels.findIndex((level) => level >= edge);
  let first = sure;
  for (let frame = sure - 1; frame >= 0 && first - frame <= ALONE_FRAMES; frame--)
    if ((levels[frame] ?? 0) >= edge) first = frame;
  return first;
}

/** Mean square of each 10 ms. */
function frameLevels(samples: Float32Array): number[] {
  return Array.from({ length: Math.ceil(samples.length / FRAME) }, (_, frame) => {
    const end = Math.min(samples.length, (frame + 1) * FRAME);
    let sum = 0;
    for (let index = frame * FRAME; index < end; index++) sum += (samples[index] ?? 0) ** 2;
    return sum / FRAME;
  });
}

function voicedDb(levels: readonly number[]): number | null {
  const loudest = loudestOf(levels);
  if (loudest === 0) return null;
  const voiced = levels.filter((level) => level >= loudest * 10 ** (-VOICED_DB / 10));
  return decibels(voiced.reduce((sum, level) => sum + level, 0) / voiced.length);
}

/**
 * The middle of the quietest 20 ms, as the index of a 10 ms frame; sound to come is assumed as loud as the
 * last frame.
 * @param from first frame to consider
 */
function quietest(levels: readonly number[], from: number): number {
  let best = levels.length;
  let least = Number.POSITIVE_INFINITY;
  for (let frame = Math.max(1, from); frame <= levels.length; frame++) {
    const before = levels[frame - 1] ?? 0;
    const level = before + (levels[frame] ?? before);
    if (level < least) [best, least] = [frame, level];
  }
  return best;
}

const decibels = (level: number) => 10 * Math.log10(level);

function joined(a: Float32Array, b: Float32Array): Float32Array<ArrayBuffer> {
  const both = new Float32Array(a.length + b.length);
  both.set(a);
  both.set(b, a.length);
  return both;
}
