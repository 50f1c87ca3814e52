import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { WorkerStopped, type WorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { RecognitionEngine } from './contract.ts';
import { createMoonshine, type MoonshineOptions } from './moonshine.ts';
import type { MoonshineMethods } from './moonshine.worker.ts';

const opened: RecognitionEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

type Asked = Parameters<MoonshineMethods['recognize']>[0];

function anEngine(recognize: (asked: Asked) => Promise<string> = async () => 'Hello.', fetched = true) {
  const asked: Asked[] = [];
  const status: EngineStatus = { state: 'fetching', progress: 0.3, message: 'Fetching the ears.' };
  const startThread: NonNullable<MoonshineOptions['startThread']> = (onExit) => {
    const thread: WorkerThread<MoonshineMethods> = {
      call: (method, args, signal) =>
        new Promise((resolve, reject) => {
          if (method === 'load') return resolve(undefined as never);
          asked.push(args as Asked);
          recognize(args as Asked).then((words) => resolve(words as never), reject);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
      finish: async () => onExit(null),
      terminate: async () => {},
    };
    return thread;
  };
  const engine = createMoonshine({
    weights: {
      status: () => status,
      ensure: (_bundle, signal) =>
        new Promise((resolve, reject) => {
          if (fetched) resolve('/models/hearing');
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    startThread,
    restartDelaysMs: [5],
  });
  opened.push(engine);
  return { engine, asked };
}

const untilReady = async (engine: RecognitionEngine) => {
  while (engine.status().state !== 'ready') await new Promise((resolve) => setTimeout(resolve, 2));
};
const final = { samples: new Float32Array(16_000), urgency: 'final' as const };

describe('createMoonshine', () => {
  it('refuses with the sentence of its status while its weights come', async () => {
    const { engine } = anEngine(undefined, false);
    expect(engine.status()).toMatchObject({ state: 'fetching', progress: 0.3 });
    await expect(engine.recognize(final)).rejects.toEqual(
      new EngineError('Fetching the ears.', { retryable: true }),
    );
  });

  it('hands on samples as they are then, urgency and caller, and answers the words', async () => {
    const { engine, asked } = anEngine();
    await untilReady(engine);
    const buffer = new Float32Array(1_000).fill(0.5);
    const hearing = engine.recognize({ samples: buffer.subarray(0, 10), urgency: 'partial', caller: 'call' });
    buffer.fill(0);
    expect(await hearing).toBe('Hello.');
    expect(asked).toEqual([{ samples: new Float32Array(10).fill(0.5), urgency: 'partial', caller: 'call' }]);
    expect(asked[0]?.samples.buffer.byteLength).toBe(40);
  });

  it('takes every request without a caller for another one', async () => {
    const { engine, asked } = anEngine();
    await untilReady(engine);
    await Promise.all([engine.recognize(final), engine.recognize(final)]);
    expect(asked[0]?.caller).not.toBe(asked[1]?.caller);
  });

  it('hands on why a partial was dropped, and puts other failures into words', async () => {
    const failures = [
      Object.assign(new Error('The ears are behind.'), { retryable: true }),
      Object.assign(new Error('ONNX says no'), { retryable: false }),
      new WorkerStopped('The worker stopped.'),
    ];
    const { engine } = anEngine(() => {
      const failure = failures.shift();
      return failure ? Promise.reject(failure) : Promise.resolve('Hello.');
    });
    await untilReady(engine);
    const sentences = [
      'The ears are behind.',
      'The ears stopped while they listened; try again in a moment.',
      'The ears stopped while they listened; try again in a moment.',
    ];
    for (const message of sentences)
      await expect(engine.recognize(final)).rejects.toMatchObject({
        name: 'EngineError',
        message,
        retryable: true,
      });
    expect(await engine.recognize(final)).toBe('Hello.');
  });

  it('refuses a recording of more than 15 minutes for good', async () => {
    const { engine, asked } = anEngine();
    await untilReady(engine);
    const samples = new Float32Array(15 * 60 * 16_000 + 1);
    await expect(engine.recognize({ ...final, samples })).rejects.toMatchObject({ retryable: false });
    expect(asked).toEqual([]);
  });

  it('gives up with the reason of its caller', async () => {
    const { engine } = anEngine(() => new Promise(() => {}));
    await untilReady(engine);
    const controller = new AbortController();
    const reason = new Error('hung up');
    const hearing = engine.recognize({ ...final, signal: controller.signal });
    controller.abort(reason);
    await expect(hearing).rejects.toBe(reason);
    await expect(engine.recognize({ ...final, signal: controller.signal })).rejects.toBe(reason);
  });
});
