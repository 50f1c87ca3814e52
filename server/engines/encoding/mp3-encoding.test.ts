import { describe, expect, it } from 'vitest';
import { decodeMp3 } from '../../../tests/support/decode-mp3.ts';
import { type EncodeMp3, openMp3Encoding } from './mp3-encoding.ts';
import { readFrames, SAMPLE_RATE } from './mp3-frames.ts';

/** Encodes sound at the voice's rate, one step at a time. */
async function openEncoder() {
  const encode = await openMp3Encoding();
  return (samples: Float32Array) => finish(encode({ samples, sampleRate: SAMPLE_RATE }));
}

function finish(steps: ReturnType<EncodeMp3>) {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** A sweep: it resembles itself at no other offset. */
const sweep = (length: number) =>
  Float32Array.from({ length }, (_, index) => 0.4 * Math.sin(index * (0.02 + (0.2 * index) / length)));

/** Delay of the decoded sound behind the original, in samples. */
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

describe('openMp3Encoding', () => {
  it.each([1, 575, 576, 577, 12_345, 66_150])(
    'makes a file of %i samples that decodes to exactly as many',
    async (length) => {
      const encode = await openEncoder();
      const { samples, sampleRate, errors } = await decodeMp3(encode(sweep(length)).audio);
      expect({ length: samples.length, sampleRate, errors }).toEqual({
        length,
        sampleRate: SAMPLE_RATE,
        errors: 0,
      });
    },
  );

  it('keeps the sound where it was, no sample late', async () => {
    const encode = await openEncoder();
    const original = sweep(20_000);
    const { samples } = await decodeMp3(encode(original).audio);
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
    const encode = await openEncoder();
    const speech = encode(sweep(22_050));
    expect(speech).toMatchObject({ mediaType: 'audio/mpeg', durationMs: 1_000 });
    expect(encode(sweep(22_050))).toEqual(speech);
  });

  it('works in steps of half a second, so that others may go first', async () => {
    const encode = await openMp3Encoding();
    let steps = 0;
    const encoding = encode({ samples: sweep(66_150), sampleRate: SAMPLE_RATE });
    while (!encoding.next().done) steps++;
    expect(steps).toBe(6);
  });

  it('tells players in its first frame how many frames follow', async () => {
    const encode = await openEncoder();
    const { audio } = encode(sweep(22_050));
    const frames = readFrames(audio);
    const view = new DataView(audio.buffer, audio.byteOffset);
    expect(Buffer.from(audio.subarray(13, 17)).toString()).toBe('Xing');
    expect(view.getUint32(21)).toBe(frames.length - 1);
    expect(view.getUint32(25)).toBe(audio.length);
  });
});

describe('readFrames', () => {
  it('refuses what is no MP3', () => {
    expect(() => readFrames(new TextEncoder().encode('RIFF....WAVE'))).toThrow(RangeError);
  });
});
