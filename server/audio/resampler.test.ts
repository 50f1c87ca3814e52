import { describe, expect, it } from 'vitest';
import { Resampler, resample } from './resampler.ts';

const tone = (frequency: number, rate: number, seconds = 0.5) =>
  Float32Array.from(
    { length: Math.round(rate * seconds) },
    (_, n) => 0.5 * Math.sin((2 * Math.PI * frequency * n) / rate),
  );

/** How loud a frequency is in the middle of a sound, as the amplitude of its sine. */
function amplitudeOf(frequency: number, samples: Float32Array, rate: number): number {
  const from = Math.floor(samples.length * 0.2);
  const to = Math.floor(samples.length * 0.8);
  let real = 0;
  let imaginary = 0;
  let weights = 0;
  for (let n = from; n < to; n++) {
    const weight = Math.sin((Math.PI * (n - from)) / (to - from)) ** 2;
    const angle = (2 * Math.PI * frequency * n) / rate;
    real += weight * (samples[n] ?? 0) * Math.cos(angle);
    imaginary += weight * (samples[n] ?? 0) * Math.sin(angle);
    weights += weight;
  }
  return (2 * Math.hypot(real, imaginary)) / weights;
}

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);
const inner = (samples: Float32Array) =>
  samples.subarray(Math.floor(samples.length * 0.2), Math.floor(samples.length * 0.8));

const pairs: [number, number][] = [
  [8_000, 16_000],
  [11_025, 16_000],
  [22_050, 16_000],
  [24_000, 16_000],
  [44_100, 16_000],
  [48_000, 16_000],
  [96_000, 16_000],
  [22_050, 48_000],
  [24_000, 48_000],
  [47_999, 16_000],
];

describe('Resampler', () => {
  it.each(pairs)('keeps a tone as it is from %i to %i Hz', (from, to) => {
    const changed = resample(tone(1_000, from), from, to);
    expect(changed.length).toBe(Math.floor((Math.round(from / 2) * to) / from));
    expect(amplitudeOf(1_000, changed, to)).toBeCloseTo(0.5, 3);
    // Also in time: nothing is left when the tone that was expected is taken away.
    const difference = inner(
      changed.map((sample, n) => sample - 0.5 * Math.sin((2 * Math.PI * 1_000 * n) / to)),
    );
    expect(rms(difference)).toBeLessThan(0.003);
  });

  it.each([44_100, 48_000, 96_000])('lets nothing of %i Hz fold back that 16 kHz cannot carry', (from) => {
    for (const frequency of [8_300, 10_000, 13_000, 15_000]) {
      const changed = resample(tone(frequency, from), from, 16_000);
      expect(20 * Math.log10(rms(inner(changed)) / 0.35)).toBeLessThan(-65);
    }
  });

  it.each([22_050, 24_000])('makes no images above what %i Hz held', (from) => {
    const changed = resample(tone(9_000, from), from, 48_000);
    expect(amplitudeOf(9_000, changed, 48_000)).toBeCloseTo(0.5, 2);
    expect(amplitudeOf(from - 9_000, changed, 48_000)).toBeLessThan(0.0003);
  });

  it.each([...pairs, [16_000, 16_000] as const])(
    'answers the same in pieces of any size as at once, %i to %i Hz',
    (from, to) => {
      const whole = tone(700, from);
      const resampler = new Resampler(from, to);
      const pieces: number[] = [];
      for (let at = 0, size = 1; at < whole.length; at += size, size = (size * 7 + 3) % 1_999)
        pieces.push(...resampler.push(whole.subarray(at, at + size)));
      pieces.push(...resampler.flush());
      expect(Float32Array.from(pieces)).toEqual(resample(whole, from, to));
    },
  );

  it('is behind by no more than some milliseconds', () => {
    expect(new Resampler(48_000, 16_000).push(tone(500, 48_000, 0.02)).length).toBeGreaterThan(320 - 50);
  });

  it('passes the same rate through, sample by sample', () => {
    const whole = tone(500, 16_000, 0.1);
    expect(resample(whole, 16_000, 16_000)).toEqual(whole);
  });

  it('makes nothing of nothing', () => {
    expect(resample(new Float32Array(), 48_000, 16_000)).toHaveLength(0);
  });

  it.each([0, 7_999, 96_001, 44_100.5, Number.NaN])('refuses a rate of %d Hz', (rate) => {
    expect(() => new Resampler(rate, 16_000)).toThrow('A sample rate must be from 8000 to 96000 Hz.');
  });
});
