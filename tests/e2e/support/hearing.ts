import { resample } from '#server/audio/resampler';
import { HEARING_SAMPLE_RATE } from '#server/engines/recognition/contract';
import { earsAreIn, openEars } from '../../speech/ears.ts';

/** What a recording holds, measured. */
export interface Measured {
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

/** Listens to a recording with the product's own ears; null where their weights are not on this machine. */
export async function recognise(samples: Float32Array, sampleRate: number): Promise<string | null> {
  const models = process.env.SIGMA_TEST_MODELS ?? 'models';
  if (!(await earsAreIn(models))) return null;
  const ears = await openEars(models);
  try {
    return await ears.recognition.recognize({
      samples: resample(samples, sampleRate, HEARING_SAMPLE_RATE),
      urgency: 'final',
    });
  } finally {
    await ears.close();
  }
}
