import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EngineError } from '#server/engines/engine-error';
import { createFakeEmbedding } from './fake.ts';
import { createUniversalSentenceEncoder } from './universal-sentence-encoder.ts';

const folder = join(resolve(process.env.MODELS_DIR ?? 'models'), 'embedding');
const ready = { state: 'ready' as const, message: 'ready' };
const dot = (a: Float32Array = new Float32Array(), b: Float32Array = new Float32Array()) => {
  let sum = 0;
  for (const [i, x] of a.entries()) sum += x * (b[i] ?? 0);
  return sum;
};

describe.skipIf(!existsSync(join(folder, 'model.json')))('with its weights', () => {
  test('texts of like meaning are nearer, vectors have length one', async () => {
    const engine = createUniversalSentenceEncoder({ ensure: async () => folder, status: () => ready });
    const [refund, money, weather] = await engine.embed([
      'How do I get a refund?',
      'I would like my money back.',
      'It rains in the mountains.',
      '',
    ]);
    expect(refund?.length).toBe(engine.dimensions);
    expect(dot(refund, refund)).toBeCloseTo(1, 3);
    expect(dot(refund, money)).toBeGreaterThan(dot(refund, weather) + 0.1);
    expect(engine.status().state).toBe('ready');
    await engine.close();
    await expect(engine.embed(['x'])).rejects.toBeInstanceOf(EngineError);
  });

  test('a question overtakes an index', async () => {
    const engine = createUniversalSentenceEncoder({ ensure: async () => folder, status: () => ready });
    const order: string[] = [];
    const long = engine
      .embed(Array.from({ length: 60 }, (_, n) => `Sentence ${n}`))
      .then(() => order.push('index'));
    const short = engine.embed(['A question']).then(() => order.push('question'));
    await Promise.all([long, short]);
    expect(order).toEqual(['question', 'index']);
    await engine.close();
  });
});

test('while the weights come it says so, and waits or gives up when told', async () => {
  const fetching = { state: 'fetching' as const, progress: 0.4, message: 'Fetching.' };
  const engine = createUniversalSentenceEncoder({
    ensure: (_, signal) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    status: () => fetching,
  });
  expect(engine.status()).toEqual(fetching);
  const reason = new Error('enough');
  await expect(engine.embed(['x'], AbortSignal.abort(reason))).rejects.toBe(reason);
  const waiting = engine.embed(['x']);
  const refused = expect(waiting).rejects.toBeInstanceOf(EngineError);
  await engine.close();
  await refused;
});

test('weights that cannot be loaded make it fail with a sentence', async () => {
  const engine = createUniversalSentenceEncoder({ ensure: async () => '/nowhere', status: () => ready });
  await expect(engine.embed(['x'])).rejects.toBeInstanceOf(EngineError);
  expect(engine.status()).toMatchObject({ state: 'failed' });
  await engine.close();
});

test('the fake gives the same vector for the same text and near ones for shared words', async () => {
  const [a, b, c] = await createFakeEmbedding().embed(['refund my order', 'order refund', 'zebra']);
  expect(dot(a, b)).toBeGreaterThan(dot(a, c));
  expect((await createFakeEmbedding().embed(['zebra']))[0]).toEqual(c);
});
