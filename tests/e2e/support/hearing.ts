import type { Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { resample } from '#server/audio/resampler';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { type Ears, earsAreIn, openEars } from '../../speech/ears.ts';
import { joined } from '../../speech/sounds.ts';
import { shareHeard } from '../../speech/word-errors.ts';
import { type Heard, takeHeard } from './browser.ts';

/** What a recording holds, measured. */
interface Measured {
  seconds: number;
  /** Root mean square over the parts that are not silent, 0 to 1. */
  level: number;
  peak: number;
}

/** Measures mono samples (-1 to 1): how long it sounds from its first to its last audible moment, and how loud. */
export function measure(samples: Float32Array, sampleRate: number): Measured {
  const audible: number[] = [];
  let peak = 0;
  samples.forEach((sample, index) => {
    const loudness = Math.abs(sample);
    if (loudness > peak) peak = loudness;
    if (loudness > 0.005) audible.push(index);
  });
  const first = audible[0] ?? 0;
  const last = audible.at(-1) ?? 0;
  const energy = audible.reduce((sum, index) => sum + (samples[index] ?? 0) ** 2, 0);
  return {
    seconds: (last - first) / sampleRate,
    level: audible.length > 0 ? Math.sqrt(energy / audible.length) : 0,
    peak,
  };
}

/** Opened when they are first asked for, and then for the whole file. */
let ears: Promise<Ears | null> | null = null;
afterAll(async () => (await ears)?.close());

/** Listens to a recording with the product's own ears; null where their weights are not on this machine. */
async function recognise(samples: Float32Array, sampleRate: number): Promise<string | null> {
  const models = process.env.SIGMA_TEST_MODELS ?? 'models';
  ears ??= earsAreIn(models).then((areIn) => (areIn ? openEars(models) : null));
  const opened = await ears;
  return opened
    ? opened.recognition.recognize({
        samples: resample(samples, sampleRate, HEARING_SAMPLE_RATE),
        urgency: 'final',
      })
    : null;
}

/**
 * Listens to what the page plays until most of this was heard, or what fits.
 * @returns all that was heard from the last `takeHeard` to then
 */
export async function soundsLike(page: Page, said: string | RegExp): Promise<Heard> {
  const pieces: Float32Array[] = [];
  let sampleRate = 0;
  const listen = async () => {
    const heard = await takeHeard(page);
    pieces.push(heard.samples);
    sampleRate = heard.sampleRate;
    const all = joined(...pieces);
    const { seconds } = measure(all, sampleRate);
    return { seconds, words: seconds < 0.8 ? '' : await recognise(all, sampleRate) };
  };
  await expect
    .poll(listen, { timeout: 60_000, interval: 1_000 })
    .toSatisfy(({ seconds, words }: { seconds: number; words: string | null }) => {
      if (words === null) return seconds >= 0.8;
      if (said instanceof RegExp) return said.test(words);
      return shareHeard(said, words) > 0.6;
    });
  return { samples: joined(...pieces), sampleRate };
}
