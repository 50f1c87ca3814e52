import { afterAll, describe, expect, it } from 'vitest';
import { decodeMp3 } from '../../../tests/support/decode-mp3.ts';
import { createMp3Encoder } from './mp3.ts';
import { cutFile } from './mp3-files.ts';
import { SAMPLE_RATE } from './mp3-frames.ts';

const encoder = createMp3Encoder();
afterAll(() => encoder.close());
const encode = (samples: Float32Array) => encoder.encode({ samples, sampleRate: SAMPLE_RATE }, 'later');

const tone = (seconds: number, frequency: number) =>
  Float32Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, index) => 0.4 * Math.sin((2 * Math.PI * frequency * index) / SAMPLE_RATE),
  );

/** Zero crossings per second measure the pitch. */
const pitch = (samples: Float32Array) =>
  samples.filter((sample, index) => sample >= 0 !== (samples[index - 1] ?? 0) >= 0).length /
  ((2 * samples.length) / SAMPLE_RATE);

describe('cutFile', () => {
  it.each([40, 500, 1_000, 1_900])('keeps the first %i ms, and says how much that is', async (ms) => {
    const cut = cutFile(await encode(tone(2, 400)), ms);
    expect(cut?.mediaType).toBe('audio/mpeg');
    expect(Math.abs((cut?.durationMs ?? 0) - ms)).toBeLessThanOrEqual(14);
    const { samples, errors } = await decodeMp3(cut?.audio ?? new Uint8Array());
    expect(errors).toBe(0);
    expect(Math.round((samples.length * 1_000) / SAMPLE_RATE)).toBe(cut?.durationMs);
    if (ms > 100) expect(Math.abs(pitch(samples.subarray(500)) - 400)).toBeLessThan(8);
  });

  it('keeps nothing of a sentence that was not reached', async () => {
    const joined = await encode(Float32Array.from([...tone(1, 300), ...tone(1, 1_200)]));
    const { samples } = await decodeMp3(cutFile(joined, 950)?.audio ?? new Uint8Array());
    expect(pitch(samples.subarray(500))).toBeLessThan(320);
  });

  it('gives all of it where that is shorter', async () => {
    const whole = await encode(tone(1, 400));
    expect(cutFile(whole, 60_000)?.durationMs).toBeGreaterThanOrEqual(whole.durationMs);
  });

  it('gives nothing where nothing is left, or where it does not know the file', async () => {
    expect(cutFile(await encode(tone(1, 400)), 0)).toBeNull();
    expect(cutFile({ audio: Buffer.from('RIFF....WAVE'), mediaType: 'audio/wav' }, 500)).toBeNull();
  });
});
