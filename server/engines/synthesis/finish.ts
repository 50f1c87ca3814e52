import type { Sound } from '#server/audio/sound';

/** Rate of the voice, in Hz: Piper's own. */
export const SAMPLE_RATE = 22_050;

const samplesOf = (ms: number) => Math.round((ms * SAMPLE_RATE) / 1_000);

const FRAME = samplesOf(10);
/** Quieter than the loudest moment by so much is breath and room, not speech; the voice's own floor lies 37 dB below. */
const EDGE_DB = 30;
/** Kept before and after the speech, so that a soft first or last consonant is whole. */
const KEEP_BEFORE = samplesOf(25);
const KEEP_AFTER = samplesOf(60);
const FADE_IN = samplesOf(5);
const FADE_OUT = samplesOf(25);

/** Loudness of the voiced part. Speech at −18 dBFS stands beside other sounds of a page; peaks stay 1 dB below full scale. */
const TARGET_RMS = 10 ** (-18 / 20);
const MAX_PEAK = 10 ** (-1 / 20);
const MAX_GAIN = 10 ** (12 / 20);
const VOICED_DB = 25;

/** How long a listener is given before the next words come, by the mark that ends them. */
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

/** Milliseconds of silence that belong after words ending so. */
export const pauseAfter = (words: string) => PAUSE_MS[words.trimEnd().at(-1) ?? ''] ?? NO_MARK_PAUSE_MS;

/** What is said where there is nothing to say. */
export const momentOfSilence = (): Sound => ({
  samples: new Float32Array(samplesOf(SILENCE_MS)),
  sampleRate: SAMPLE_RATE,
});

/**
 * Makes raw speech fit to stand beside other speech: silence at both ends cut, soft edges, even loudness without
 * clipping, and a natural pause after it.
 * @param samples mono at 22,050 Hz
 */
export function finishSpeech(samples: Float32Array, pauseMs: number): Float32Array {
  const levels = frameLevels(samples);
  const loudest = levels.reduce((max, level) => Math.max(max, level), 0);
  if (loudest === 0) return new Float32Array(samplesOf(pauseMs));
  const edge = loudest * 10 ** (-EDGE_DB / 10);
  const first = levels.findIndex((level) => level >= edge);
  const last = levels.findLastIndex((level) => level >= edge);
  const start = Math.max(0, first * FRAME - KEEP_BEFORE);
  const end = Math.min(samples.length, (last + 1) * FRAME + KEEP_AFTER);
  const gain = evenGain(samples, levels, loudest);
  const finished = new Float32Array(end - start + samplesOf(pauseMs));
  for (let index = start; index < end; index++) {
    const fade = Math.min(1, (index - start + 1) / FADE_IN, (end - index) / FADE_OUT);
    finished[index - start] = (samples[index] ?? 0) * gain * fade;
  }
  return finished;
}

/** Mean square of each 10 ms. */
function frameLevels(samples: Float32Array): Float32Array {
  const levels = new Float32Array(Math.ceil(samples.length / FRAME));
  for (let frame = 0; frame < levels.length; frame++) {
    const end = Math.min(samples.length, (frame + 1) * FRAME);
    let sum = 0;
    for (let index = frame * FRAME; index < end; index++) sum += (samples[index] ?? 0) ** 2;
    levels[frame] = sum / FRAME;
  }
  return levels;
}

function evenGain(samples: Float32Array, levels: Float32Array, loudest: number): number {
  const voiced = levels.filter((level) => level >= loudest * 10 ** (-VOICED_DB / 10));
  const rms = Math.sqrt(voiced.reduce((sum, level) => sum + level, 0) / voiced.length);
  let peak = 0;
  for (const sample of samples) peak = Math.max(peak, Math.abs(sample));
  return Math.min(TARGET_RMS / rms, MAX_PEAK / peak, MAX_GAIN);
}
