import { describe, expect, it } from 'vitest';
import { fromPcm16, toPcm16 } from './pcm16.ts';

describe('PCM16', () => {
  it('is little-endian, and clips what is too loud', () => {
    expect([...toPcm16(Float32Array.of(0, 0.5, -0.5, 1, -1, 2, -2))]).toEqual([
      0, 0, 0x00, 0x40, 0x00, 0xc0, 0xff, 0x7f, 0x00, 0x80, 0xff, 0x7f, 0x00, 0x80,
    ]);
  });

  it('comes back as it went, to the last bit it has', () => {
    const samples = Float32Array.from({ length: 1_000 }, (_, n) => 0.9 * Math.sin(n));
    const back = fromPcm16(toPcm16(samples));
    for (const [index, sample] of samples.entries())
      expect(Math.abs((back[index] ?? 9) - sample)).toBeLessThanOrEqual(1 / 65_536);
  });

  it('is read at an odd place of a buffer', () => {
    const bytes = new Uint8Array([9, 0x00, 0x40, 0x00, 0xc0]);
    expect([...fromPcm16(bytes.subarray(1))]).toEqual([0.5, -0.5]);
  });

  it('refuses half a sample', () => {
    expect(() => fromPcm16(new Uint8Array(3))).toThrow(RangeError);
  });
});
