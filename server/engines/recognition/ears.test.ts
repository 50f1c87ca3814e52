import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ears, earsAreIn, openEars } from '../../../tests/speech/ears.ts';
import { type Clip, clipNamed, clipsOf, soundOf } from '../../../tests/speech/speech-set.ts';
import { wordErrors } from '../../../tests/speech/word-errors.ts';

const RATE = 16_000;
const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const hasEars = await earsAreIn(models);
if (!hasEars) process.stderr.write(`Tests of the real ears are skipped: no whole ears in "${models}".\n`);

const clips = clipsOf('sentence', 'dev').slice(0, 3);
const sentences = clips.map(({ text }) => text);

/** Single words may be misrecognised; the tests check that nothing is lost, repeated or invented. */
const expectHeard = (heard: string, ...texts: string[]) =>
  expect(wordErrors(texts.join(' '), heard).errors, heard).toBeLessThanOrEqual(texts.length);
const seconds = (length: number) => new Float32Array(Math.round(length * RATE));

function joined(...parts: Float32Array[]): Float32Array {
  const whole = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

/** Deterministic noise, -1 to 1. */
function noise(length: number): Float32Array {
  let seed = 1;
  return seconds(length).map(() => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed / 2 ** 31 - 1;
  });
}

/** Sounds of a room without speech. */
const wordless: [string, () => Float32Array][] = [
  ['silence', () => seconds(10)],
  ['a hissing line', () => noise(10).map((sample) => 0.05 * sample)],
  ['a hum', () => seconds(10).map((_, n) => 0.1 * Math.sin((2 * Math.PI * 100 * n) / RATE))],
  [
    'keys of a keyboard',
    () => noise(10).map((sample, n) => 0.4 * sample * Math.exp(-(((n / RATE) * 5.3) % 1) * 60)),
  ],
  [
    'a door',
    () =>
      noise(3).map((sample, n) => {
        const since = n / RATE - 1;
        if (since < 0) return 0.001 * sample;
        return 0.6 * Math.exp(-since * 9) * sample + 0.4 * Math.exp(-since * 14) * Math.sin(440 * since);
      }),
  ],
];

describe.skipIf(!hasEars)('the real ears', () => {
  let ears: Ears;
  let spoken: Float32Array[];

  beforeAll(async () => {
    ears = await openEars(models);
    spoken = await Promise.all(clips.map((clip: Clip) => soundOf(clip)));
  });
  afterAll(() => ears?.close());

  const recognize = (samples: Float32Array, caller?: string) =>
    ears.recognition.recognize({ samples, urgency: 'final', ...(caller ? { caller } : {}) });
  const sentence = (index: number) => spoken[index] ?? new Float32Array();

  it.each([...sentences.entries()])('understand sentence %i: %s', async (index, text) => {
    expectHeard(await recognize(sentence(index)), text);
  });

  it.each([
    ['silence around it', () => joined(seconds(5), sentence(0), seconds(5))],
    [
      'a noisy room around it',
      () => {
        const room = joined(seconds(4), sentence(0), seconds(2));
        const hiss = noise(room.length / RATE + 0.1);
        return room.map((sample, n) => sample + 0.005 * (hiss[n] ?? 0));
      },
    ],
    ['a very low voice', () => sentence(0).map((sample) => sample * 0.02)],
    [
      'a click before it',
      () => {
        const clicked = joined(seconds(2), sentence(0));
        clicked.fill(0.9, 100, 130);
        return clicked;
      },
    ],
  ])('understand a sentence with %s', async (_what, sound) => {
    expectHeard(await recognize(sound()), sentences[0] ?? '');
  });

  it('hear a long recording with pauses to its end', async () => {
    const [a, b, c] = spoken.map((_, index) => sentence(index)) as [Float32Array, Float32Array, Float32Array];
    const long = joined(
      a,
      seconds(3),
      b,
      seconds(0.6),
      c,
      seconds(1),
      b,
      a,
      seconds(8),
      c,
      a,
      b,
      seconds(20),
      c,
    );
    expect(long.length / RATE).toBeGreaterThan(45);
    const [x, y, z] = sentences as [string, string, string];
    expectHeard(await recognize(long), x, y, z, y, x, z, x, y, z);
  });

  it.each(wordless)('hear no words in %s', async (_what, sound) => {
    expect(await recognize(sound())).toBe('');
  });

  it('hear a number that is spelled, where the recognizer runs in circles at first', async () => {
    const clip = clipNamed('d-pause-11');
    expectHeard(await recognize(await soundOf(clip)), clip.text);
  });

  it('answer several callers at once, and stop for one who hangs up', async () => {
    const controller = new AbortController();
    const given = ears.recognition.recognize({
      samples: joined(...spoken, ...spoken),
      urgency: 'final',
      signal: controller.signal,
    });
    const others = sentences.map((_, index) =>
      recognize(joined(sentence(index), seconds(0.2)), `call ${index}`),
    );
    controller.abort(new Error('hung up'));
    await expect(given).rejects.toThrow('hung up');
    for (const [index, heard] of (await Promise.all(others)).entries())
      expectHeard(heard, sentences[index] ?? '');
  });

  it('notice speech within three frames of it, and its end', async () => {
    const sound = joined(seconds(1.024), sentence(0), seconds(1));
    const frames = await ears.voiceActivity.open().accept(sound);
    expect(frames).toHaveLength(Math.floor(sound.length / 512));
    const begin = 32 + Math.floor(sentence(0).findIndex((sample) => Math.abs(sample) > 0.02) / 512);
    const end = 32 + Math.ceil(sentence(0).findLastIndex((sample) => Math.abs(sample) > 0.02) / 512);
    expect(frames.indexOf(true) - begin).toBeGreaterThanOrEqual(0);
    expect(frames.indexOf(true) - begin).toBeLessThanOrEqual(3);
    expect(frames.lastIndexOf(true) - end).toBeLessThanOrEqual(4);
    expect(frames.slice(begin, end).filter(Boolean).length / (end - begin)).toBeGreaterThan(0.8);
  });

  it('decide the same whatever the size of the pieces', async () => {
    const [whole, pieces] = [ears.voiceActivity.open(), ears.voiceActivity.open()];
    const expected = await whole.accept(sentence(1));
    const frames: boolean[] = [];
    for (let at = 0; at < sentence(1).length; at += 333)
      frames.push(...(await pieces.accept(sentence(1).subarray(at, at + 333))));
    expect(frames).toEqual(expected);
    whole.close();
    const again = ears.voiceActivity.open();
    expect(await again.accept(sentence(1))).toEqual(expected);
  });

  it.each(wordless)('take %s for no speech', async (_what, sound) => {
    const frames = await ears.voiceActivity.open().accept(sound());
    expect(frames.filter(Boolean).length).toBeLessThanOrEqual(2);
  });
});
