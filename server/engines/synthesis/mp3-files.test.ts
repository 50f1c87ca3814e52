import { MPEGDecoder } from 'mpg123-decoder';
import { describe, expect, it } from 'vitest';
import { createSpeechEncoder } from './mp3.ts';
import { cutSpeech, joinSpeech } from './mp3-files.ts';
import { SAMPLE_RATE } from './mp3-frames.ts';

async function decode(audio: Uint8Array): Promise<{ samples: Float32Array; errors: number }> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const { channelData, errors } = decoder.decode(audio);
    return { samples: (channelData[0] ?? new Float32Array()).slice(), errors: errors.length };
  } finally {
    decoder.free();
  }
}

const tone = (seconds: number, frequency: number) =>
  Float32Array.from(
    { length: seconds * SAMPLE_RATE },
    (_, index) => 0.4 * Math.sin((2 * Math.PI * frequency * index) / SAMPLE_RATE),
  );

/** How often the sound crosses zero in a second says how high it is. */
const pitch = (samples: Float32Array) =>
  samples.filter((sample, index) => sample >= 0 !== (samples[index - 1] ?? 0) >= 0).length /
  ((2 * samples.length) / SAMPLE_RATE);

describe('cutSpeech', () => {
  it.each([40, 500, 1_000, 1_900])('keeps the first %i ms, and says how much that is', async (ms) => {
    const encode = await createSpeechEncoder();
    const cut = cutSpeech(encode(tone(2, 400)), ms);
    expect(cut?.mediaType).toBe('audio/mpeg');
    expect(Math.abs((cut?.durationMs ?? 0) - ms)).toBeLessThanOrEqual(14);
    const { samples, errors } = await decode(cut?.audio ?? new Uint8Array());
    expect(errors).toBe(0);
    expect(Math.round((samples.length * 1_000) / SAMPLE_RATE)).toBe(cut?.durationMs);
    if (ms > 100) expect(Math.abs(pitch(samples.subarray(500)) - 400)).toBeLessThan(8);
  });

  it('keeps nothing of a sentence that was not reached', async () => {
    const encode = await createSpeechEncoder();
    const joined = joinSpeech([encode(tone(1, 300)), encode(tone(1, 1_200))]);
    const { samples } = await decode(cutSpeech(joined, 950)?.audio ?? new Uint8Array());
    expect(pitch(samples.subarray(500))).toBeLessThan(320);
  });

  it('gives all of it where that is shorter', async () => {
    const encode = await createSpeechEncoder();
    const whole = encode(tone(1, 400));
    expect(cutSpeech(whole, 60_000)?.durationMs).toBeGreaterThanOrEqual(whole.durationMs);
  });

  it('gives nothing where nothing is left, or where it does not know the file', async () => {
    const encode = await createSpeechEncoder();
    expect(cutSpeech(encode(tone(1, 400)), 0)).toBeNull();
    expect(cutSpeech({ audio: Buffer.from('RIFF....WAVE'), mediaType: 'audio/wav' }, 500)).toBeNull();
  });
});
