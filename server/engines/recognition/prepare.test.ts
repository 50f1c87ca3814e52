import { expect, it } from 'vitest';
import { madeAudible, withMargins } from './prepare.ts';

const aSound = (amplitude: number) =>
  Float32Array.from({ length: 16_000 }, (_, n) => amplitude * Math.sin(n / 7));
const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

it('makes quiet speech louder by whole doublings', () => {
  const quiet = aSound(0.01);
  const louder = madeAudible(quiet);
  expect(rms(louder)).toBeGreaterThan(0.05);
  expect(rms(louder)).toBeLessThan(0.11);
  expect(Math.log2(rms(louder) / rms(quiet)) % 1).toBeCloseTo(0, 3);
  expect(rms(quiet)).toBeCloseTo(0.007, 3);
});

it('leaves speech that is loud enough, and silence, as they are', () => {
  for (const sound of [aSound(0.3), aSound(0), new Float32Array(100)]) expect(madeAudible(sound)).toBe(sound);
});

it('lifts a whisper of noise so far and no further, and nothing beyond full scale', () => {
  expect(rms(madeAudible(aSound(0.0001)))).toBeLessThan(0.003);
  const knock = aSound(0.01);
  knock[100] = 0.9;
  expect(Math.max(...madeAudible(knock))).toBe(1);
});

it('gives a piece silence at both ends', () => {
  const padded = withMargins(aSound(0.5), 1_600);
  expect(padded).toHaveLength(16_000 + 2 * 1_600);
  expect(padded.subarray(0, 1_600).every((sample) => sample === 0)).toBe(true);
  expect(padded.subarray(1_600, 17_600)).toEqual(aSound(0.5));
  expect(padded.subarray(17_600).every((sample) => sample === 0)).toBe(true);
});
