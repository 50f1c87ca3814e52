import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { earsAreIn } from '../../../tests/speech/ears.ts';
import { clipsOf, soundOf } from '../../../tests/speech/speech-set.ts';
import { loadMoonshine, type MoonshineModel } from './moonshine-model.ts';
import { withMargins } from './prepare.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const hasEars = await earsAreIn(models);
const never = new AbortController().signal;
const [clip] = clipsOf('sentence', 'dev');

describe.skipIf(!hasEars || !clip)('Moonshine', () => {
  let model: MoonshineModel;
  let sound: Float32Array;
  let plain: number[];

  /** @param draft expected beginning of the text */
  async function heard(draft: readonly number[], signal = never): Promise<number[]> {
    const tokens: number[] = [];
    for await (const token of model.transcribe(sound, { draft: () => draft, signal })) tokens.push(token);
    return tokens;
  }

  beforeAll(async () => {
    model = await loadMoonshine(join(models, 'hearing', 'moonshine'));
    sound = withMargins(await soundOf(clip as NonNullable<typeof clip>), 1_600);
    plain = await heard([]);
  });

  it('writes what is said', () => {
    expect(model.textOf(plain)).toBe(clip?.text);
  });

  it.each([
    ['the whole of it', (tokens: number[]) => tokens],
    ['its beginning', (tokens: number[]) => tokens.slice(0, 4)],
    ['a beginning that was heard otherwise', (tokens: number[]) => [...tokens.slice(0, 5), 299, 300]],
    ['more than it', (tokens: number[]) => [...tokens, 299, 300, 301]],
    ['something else', () => [450, 451, 452]],
  ])('hears the same whatever it is given as a draft: %s', async (_what, draftOf) => {
    expect(await heard(draftOf(plain))).toEqual(plain);
  });

  it('looks at all tokens of a right draft in one run, where each takes one without', async () => {
    /** Event-loop turns from the first token to the end; each run takes one. */
    const turnsFor = async (draft: readonly number[]) => {
      let turns = 0;
      let isOver = false;
      const count = () => {
        turns++;
        if (!isOver) setImmediate(count);
      };
      for await (const _token of model.transcribe(sound, { draft: () => draft, signal: never }))
        if (turns === 0) setImmediate(count);
      isOver = true;
      return turns;
    };
    expect(await turnsFor(plain)).toBeLessThan(2);
    expect(await turnsFor([])).toBeGreaterThanOrEqual(plain.length - 1);
  });

  it('stops between two runs when nobody waits any more', async () => {
    const controller = new AbortController();
    const given = heard([], controller.signal);
    setImmediate(() => controller.abort(new Error('hung up')));
    await expect(given).rejects.toThrow('hung up');
  });

  it('writes letters that have no token of their own, and leaves out marks', () => {
    expect(model.textOf([1, 3 + 0xe2, 3 + 0x82, 3 + 0xac, 2, 32_700])).toBe('€');
  });
});
