import { expect, it } from 'vitest';
import { findSound } from './trim-silence.ts';

const RATE = 1_000;
function samples(...parts: [level: number, seconds: number][]): Float32Array {
  return Float32Array.from(parts.flatMap(([level, seconds]) => Array(seconds * RATE).fill(level)));
}

it('finds the sound, with a lead for its attack and a breath after it', () => {
  const { startsAt, length } = findSound(samples([0, 0.5], [0.3, 1], [0.001, 0.7]), RATE);
  expect(startsAt).toBeCloseTo(0.48);
  expect(length).toBeCloseTo(1.24);
});

it('takes nothing from a clip that is sound from edge to edge', () => {
  expect(findSound(samples([0.2, 1]), RATE)).toEqual({ startsAt: 0, length: 1 });
});

it('keeps pauses in the middle', () => {
  expect(findSound(samples([0.2, 0.3], [0, 1], [0.2, 0.3]), RATE).length).toBeCloseTo(1.6);
});

it('leaves silence and nothing at all as they are', () => {
  expect(findSound(samples([0, 0.4]), RATE)).toEqual({ startsAt: 0, length: 0.4 });
  expect(findSound(new Float32Array(0), RATE)).toEqual({ startsAt: 0, length: 0 });
});
