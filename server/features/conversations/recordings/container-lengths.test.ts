import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type LengthMeter, mp4Length, oggLength, webmLength } from './container-lengths.ts';

const fixture = (name: string) =>
  readFileSync(new URL(`../../../../tests/fixtures/recordings/${name}`, import.meta.url));

function measure(meter: LengthMeter, file: Uint8Array, piece = file.length): number | null {
  for (let at = 0; at < file.length; at += piece) meter.take(file.subarray(at, at + piece));
  return meter.durationMs();
}

/** In milliseconds: the recorded length, and the additional length of the frames. */
const lengths = [
  ['opus.webm', webmLength, 600, 40],
  ['browser.webm', webmLength, 1_000, 250],
  ['opus.ogg', oggLength, 600, 10],
  ['aac.mp4', mp4Length, 600, 130],
  ['browser.mp4', mp4Length, 1_000, 250],
] as const;

describe('the length of a recording', () => {
  it.each(lengths)('is found in %s while it passes by', (name, open, expected, tolerance) => {
    const found = measure(open(), fixture(name)) ?? 0;
    expect(Math.abs(found - expected)).toBeLessThanOrEqual(tolerance);
  });

  it.each(lengths)('of %s is the same whatever pieces it comes in', (name, open) => {
    const whole = measure(open(), fixture(name));
    expect([1, 7, 1_000].map((piece) => measure(open(), fixture(name), piece))).toEqual([
      whole,
      whole,
      whole,
    ]);
  });

  it.each(lengths)('of half of %s is less, or not told, and fails nothing', (name, open, expected) => {
    const file = fixture(name);
    for (const part of [0, 1, 40, file.length >> 1]) {
      const found = measure(open(), file.subarray(0, part));
      if (found !== null) expect(found).toBeLessThan(expected + 300);
    }
  });

  it.each([webmLength, oggLength, mp4Length])('is not told of bytes without sense (%#)', (open) => {
    const noise = Uint8Array.from({ length: 50_000 }, (_, n) => (n * 7_919 * (n % 251)) % 256);
    expect([null, expect.any(Number)]).toContainEqual(measure(open(), noise));
    expect(measure(open(), new Uint8Array(20_000))).toBeNull();
    expect(measure(open(), new Uint8Array(20_000).fill(255))).toBeNull();
  });
});
