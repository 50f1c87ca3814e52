import { MPEGDecoder } from 'mpg123-decoder';
import { describe, expect, it } from 'vitest';
import { createSpeechEncoder } from './mp3.ts';
import { joinSpeech } from './mp3-files.ts';
import { readFrames, SAMPLE_RATE } from './mp3-frames.ts';

async function decode(
  audio: Uint8Array,
): Promise<{ samples: Float32Array; sampleRate: number; errors: number }> {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    const { channelData, sampleRate, errors } = decoder.decode(audio);
    return { samples: (channelData[0] ?? new Float32Array()).slice(), sampleRate, errors: errors.length };
  } finally {
    decoder.free();
  }
}

/** A sweep, which is like itself at no other place. */
const sweep = (length: number) =>
  Float32Array.from({ length }, (_, index) => 0.4 * Math.sin(index * (0.02 + (0.2 * index) / length)));

/** How far the decoded sound is behind the one that was encoded, in samples. */
function lag(original: Float32Array, decoded: Float32Array): number {
  let best = { at: 0, likeness: Number.NEGATIVE_INFINITY };
  for (let at = -1_500; at <= 1_500; at++) {
    let likeness = 0;
    for (let index = 3_000; index < 9_000; index++)
      likeness += (original[index] ?? 0) * (decoded[index + at] ?? 0);
    if (likeness > best.likeness) best = { at, likeness };
  }
  return best.at;
}

describe('createSpeechEncoder', () => {
  it.each([1, 575, 576, 577, 12_345, 66_150])(
    'makes a file of %i samples that decodes to exactly as many',
    async (length) => {
      const encode = await createSpeechEncoder();
      const { samples, sampleRate, errors } = await decode(encode(sweep(length)).audio);
      expect({ length: samples.length, sampleRate, errors }).toEqual({
        length,
        sampleRate: SAMPLE_RATE,
        errors: 0,
      });
    },
  );

  it('keeps the sound where it was, no sample late', async () => {
    const encode = await createSpeechEncoder();
    const original = sweep(20_000);
    const { samples } = await decode(encode(original).audio);
    expect(lag(original, samples)).toBe(0);
    let noise = 0;
    let signal = 0;
    for (let index = 1_000; index < 19_000; index++) {
      noise += ((samples[index] ?? 0) - (original[index] ?? 0)) ** 2;
      signal += (original[index] ?? 0) ** 2;
    }
    expect(10 * Math.log10(signal / noise)).toBeGreaterThan(15);
  });

  it('tells type and length, and says the same twice', async () => {
    const encode = await createSpeechEncoder();
    const speech = encode(sweep(22_050));
    expect(speech).toMatchObject({ mediaType: 'audio/mpeg', durationMs: 1_000 });
    expect(encode(sweep(22_050))).toEqual(speech);
  });

  it('tells players in its first frame how many frames follow', async () => {
    const encode = await createSpeechEncoder();
    const { audio } = encode(sweep(22_050));
    const frames = readFrames(audio);
    const view = new DataView(audio.buffer, audio.byteOffset);
    expect(Buffer.from(audio.subarray(13, 17)).toString()).toBe('Xing');
    expect(view.getUint32(21)).toBe(frames.length - 1);
    expect(view.getUint32(25)).toBe(audio.length);
  });
});

describe('joinSpeech', () => {
  it('makes one file with everything in order and its exact length', async () => {
    const encode = await createSpeechEncoder();
    const parts = [encode(sweep(20_000)), encode(sweep(30_000)), encode(sweep(10_000))];
    const joined = joinSpeech(parts);
    const { samples, errors } = await decode(joined.audio);
    expect(errors).toBe(0);
    expect(Math.round((samples.length * 1_000) / SAMPLE_RATE)).toBe(joined.durationMs);
    expect(lag(sweep(20_000), samples)).toBe(0);
    const sum = parts.reduce((total, part) => total + part.durationMs, 0);
    expect(joined.durationMs).toBeGreaterThan(sum);
    expect(joined.durationMs).toBeLessThan(sum + 2 * 80);
  });

  it('gives one part back as it is', async () => {
    const encode = await createSpeechEncoder();
    const only = encode(sweep(5_000));
    expect(joinSpeech([only])).toBe(only);
  });

  it('puts speech of another engine end to end as it is', () => {
    const other = { audio: new Uint8Array([1, 2]), mediaType: 'audio/ogg', durationMs: 10 };
    expect(joinSpeech([other, { ...other, audio: new Uint8Array([3]) }])).toEqual({
      audio: Buffer.from([1, 2, 3]),
      mediaType: 'audio/ogg',
      durationMs: 20,
    });
    expect(() => joinSpeech([])).toThrow(RangeError);
  });

  it('takes files that are put end to end unjoined, too', async () => {
    const encode = await createSpeechEncoder();
    const { audio } = encode(sweep(20_000));
    const { samples, errors } = await decode(Buffer.concat([audio, audio]));
    expect(errors).toBe(0);
    expect(samples.length).toBeGreaterThanOrEqual(40_000);
  });
});

describe('readFrames', () => {
  it('refuses what is no MP3', () => {
    expect(() => readFrames(new TextEncoder().encode('RIFF....WAVE'))).toThrow(RangeError);
  });
});
