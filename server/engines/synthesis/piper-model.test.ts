import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { bundles } from '#server/engines/weights/bundles';
import { isWhole } from '#server/engines/weights/stamp';
import { FRAME_SAMPLES, loadPiper, type PiperModel } from './piper-model.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const folder = join(models, bundles.voice.folder);
const hasVoice = await isWhole(folder, bundles.voice);

const rms = (samples: Float32Array) =>
  Math.sqrt(samples.reduce((sum, sample) => sum + sample ** 2, 0) / samples.length);

const load = () => loadPiper(folder, { speaker: 162, speed: 0.82, seed: 1 }, 1);

describe.skipIf(!hasVoice)('the voice in two halves', () => {
  let model: PiperModel;
  beforeAll(async () => {
    model = await load();
  });

  it('makes the same sound of a sentence at once and block by block', async () => {
    // Two sentences for eSpeak NG, but still one latent.
    const latent = await model.latentOf('Hello! Your order is on its way to you.');
    expect(Number.isInteger(latent.frames)).toBe(true);
    const whole = await model.soundOf(latent, 0, latent.frames);
    expect(whole).toHaveLength(latent.frames * FRAME_SAMPLES);
    const difference = new Float32Array(whole.length);
    for (let from = 0; from < latent.frames; from += 40) {
      const to = Math.min(latent.frames, from + 40);
      const block = await model.soundOf(latent, from, to);
      for (const [n, sample] of block.entries()) {
        const at = from * FRAME_SAMPLES + n;
        difference[at] = sample - (whole[at] ?? 0);
      }
    }
    expect(20 * Math.log10(rms(difference) / rms(whole))).toBeLessThan(-60);
  });

  it('makes the same sound of the same words, whatever was said before and wherever it was loaded', async () => {
    const words = 'It is twenty four dollars.';
    const first = await model.latentOf(words);
    await model.latentOf('Your order is on its way.');
    expect(await model.latentOf(words)).toEqual(first);
    expect(await (await load()).latentOf(words)).toEqual(first);
  });
});
