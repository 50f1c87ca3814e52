import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/engines/engine-error';
import type { Weights } from '#server/engines/weights/contract';
import { WorkerStopped, type WorkerThread } from '#server/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { Speech, SynthesisEngine } from './contract.ts';
import { createPiper, type PiperOptions } from './piper.ts';
import type { PiperMethods } from './piper.worker.ts';

const speech: Speech = { audio: new Uint8Array([1, 2, 3]), mediaType: 'audio/mpeg', durationMs: 5 };
const settle = () => new Promise((resolve) => setTimeout(resolve, 15));

/** Weights that come when the test says so. */
function aWeights() {
  let come: (dir: string) => void = () => {};
  const arrival = new Promise<string>((resolve) => {
    come = resolve;
  });
  const state: { status: EngineStatus } = {
    status: {
      state: 'fetching',
      progress: 0.4,
      message: 'Fetching the voice (40 of 101 MB); text works meanwhile.',
    },
  };
  const weights: Weights = {
    status: () => state.status,
    ensure: (_bundle, signal) =>
      new Promise((resolve, reject) => {
        arrival.then(resolve);
        signal?.addEventListener('abort', () => reject(signal.reason));
      }),
    onProgress: () => () => {},
    close: async () => {},
  };
  const arrive = () => {
    state.status = { state: 'ready', message: 'The voice is here.' };
    come('/models/piper');
  };
  return { weights, arrive };
}

type Answers = {
  load?: () => Promise<void>;
  speak?: (request: Parameters<PiperMethods['speak']>[0], signal?: AbortSignal) => Promise<Speech>;
};

/** Threads that answer as the test says, and can crash. */
function aThreadStarter(answers: Answers = {}) {
  const threads: { crash: () => void; finished: boolean; spoken: unknown[] }[] = [];
  const startThread: NonNullable<PiperOptions['startThread']> = (onExit) => {
    const pending = new Set<(error: Error) => void>();
    const record = {
      finished: false,
      spoken: [] as unknown[],
      crash: () => {
        for (const reject of pending) reject(new WorkerStopped('The worker stopped.'));
        onExit(new Error('crashed'));
      },
    };
    threads.push(record);
    const thread: WorkerThread<PiperMethods> = {
      call: (method, args, signal) =>
        new Promise((resolve, reject) => {
          pending.add(reject);
          const request = args as Parameters<PiperMethods['speak']>[0];
          if (method === 'speak') record.spoken.push(request);
          const answer =
            method === 'load'
              ? (answers.load?.() ?? Promise.resolve())
              : (answers.speak?.(request, signal) ?? Promise.resolve(speech));
          answer.then((value) => resolve(value as never), reject);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
      finish: async () => {
        record.finished = true;
        onExit(null);
      },
      terminate: async () => {},
    };
    return thread;
  };
  return { startThread, threads };
}

const opened: SynthesisEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

function anEngine(options: Partial<PiperOptions> = {}, answers: Answers = {}) {
  const weights = aWeights();
  const starter = aThreadStarter(answers);
  const engine = createPiper({
    weights: weights.weights,
    startThread: starter.startThread,
    restartDelaysMs: [5],
    ...options,
  });
  opened.push(engine);
  return { engine, arrive: weights.arrive, threads: starter.threads };
}

const say = (text = 'Hello.', signal?: AbortSignal) => ({
  text,
  urgency: 'first' as const,
  ...(signal ? { signal } : {}),
});

const untilReady = async (engine: SynthesisEngine) => {
  while (engine.status().state !== 'ready') await settle();
};

describe('createPiper', () => {
  it('says what it waits for while its weights come, and refuses with the same sentence', async () => {
    const { engine, threads } = anEngine();
    expect(engine.status()).toEqual({
      state: 'fetching',
      progress: 0.4,
      message: 'Fetching the voice (40 of 101 MB); text works meanwhile.',
    });
    const refused = engine.synthesize(say());
    await expect(refused).rejects.toBeInstanceOf(EngineError);
    await expect(refused).rejects.toMatchObject({ message: engine.status().message, retryable: true });
    expect(threads).toHaveLength(0);
  });

  it('says that it loads, then that it is ready, and speaks', async () => {
    let loaded: () => void = () => {};
    const load = () => new Promise<void>((resolve) => (loaded = resolve));
    const { engine, arrive } = anEngine({}, { load });
    arrive();
    await settle();
    expect(engine.status().state).toBe('loading');
    await expect(engine.synthesize(say())).rejects.toMatchObject({ retryable: true });
    loaded();
    await untilReady(engine);
    expect(engine.status()).toEqual({ state: 'ready', message: 'The voice is ready.' });
    expect(await engine.synthesize(say())).toEqual(speech);
  });

  it('hands on text and urgency', async () => {
    const { engine, arrive, threads } = anEngine();
    arrive();
    await untilReady(engine);
    await engine.synthesize({ text: 'Later.', urgency: 'later' });
    expect(threads[0]?.spoken).toEqual([{ text: 'Later.', urgency: 'later' }]);
  });

  it('rejects what was under way when its thread crashes, says so, and comes back by itself', async () => {
    let crashed = false;
    const speak = () => (crashed ? Promise.resolve(speech) : new Promise<Speech>(() => {}));
    const { engine, arrive, threads } = anEngine({ restartDelaysMs: [40] }, { speak });
    arrive();
    await untilReady(engine);
    const lost = engine.synthesize(say());
    const outcome = expect(lost).rejects.toMatchObject({ name: 'EngineError', retryable: true });
    crashed = true;
    threads[0]?.crash();
    await outcome;
    await settle();
    expect(engine.status()).toEqual({
      state: 'failed',
      message: 'The voice stopped and is starting again; text works meanwhile.',
    });
    await expect(engine.synthesize(say())).rejects.toMatchObject({ retryable: true });
    await untilReady(engine);
    expect(threads).toHaveLength(2);
    expect(await engine.synthesize(say())).toEqual(speech);
  });

  it('tries again to load after a failure that may pass', async () => {
    let attempts = 0;
    const load = async () => {
      if (++attempts < 3) throw new EngineError('The voice could not be loaded.', { retryable: true });
    };
    const { engine, arrive, threads } = anEngine({}, { load });
    arrive();
    await untilReady(engine);
    expect(threads).toHaveLength(3);
    expect(threads[0]?.finished).toBe(true);
  });

  it('stays with its sentence when loading can never succeed here', async () => {
    const load = () =>
      Promise.reject(new EngineError('The path of MODELS_DIR is too long.', { retryable: false }));
    const { engine, arrive, threads } = anEngine({}, { load });
    arrive();
    await settle();
    await settle();
    expect(engine.status()).toEqual({ state: 'failed', message: 'The path of MODELS_DIR is too long.' });
    expect(threads).toHaveLength(1);
    await expect(engine.synthesize(say())).rejects.toThrow('The path of MODELS_DIR is too long.');
  });

  it('speaks a text that comes again from memory', async () => {
    const { engine, arrive, threads } = anEngine();
    arrive();
    await untilReady(engine);
    expect(await engine.synthesize(say('Welcome.'))).toEqual(speech);
    expect(await engine.synthesize(say('Welcome.'))).toEqual(speech);
    expect(threads[0]?.spoken).toHaveLength(1);
  });

  it('remembers nothing when told so', async () => {
    const { engine, arrive, threads } = anEngine({ cacheBytes: 0 });
    arrive();
    await untilReady(engine);
    await engine.synthesize(say('Welcome.'));
    await engine.synthesize(say('Welcome.'));
    expect(threads[0]?.spoken).toHaveLength(2);
  });

  it('gives up with the reason of its caller', async () => {
    const { engine, arrive } = anEngine({}, { speak: () => new Promise(() => {}) });
    arrive();
    await untilReady(engine);
    const controller = new AbortController();
    const speaking = engine.synthesize(say('Hello.', controller.signal));
    const reason = new Error('hung up');
    controller.abort(reason);
    await expect(speaking).rejects.toBe(reason);
    await expect(engine.synthesize(say('Hello.', controller.signal))).rejects.toBe(reason);
  });

  it('puts a failure of one sentence into words and goes on', async () => {
    const speak = ({ text }: { text: string }) =>
      text === 'bad'
        ? Promise.reject(Object.assign(new Error('ONNX says no'), { retryable: false }))
        : Promise.resolve(speech);
    const { engine, arrive } = anEngine({}, { speak });
    arrive();
    await untilReady(engine);
    await expect(engine.synthesize(say('bad'))).rejects.toMatchObject({
      name: 'EngineError',
      retryable: true,
      message: 'The voice stopped while it spoke; try again in a moment.',
    });
    expect(await engine.synthesize(say('good'))).toEqual(speech);
  });

  it('ends its thread when it is closed, and starts no other', async () => {
    const { engine, arrive, threads } = anEngine();
    arrive();
    await untilReady(engine);
    await engine.close();
    await settle();
    expect(threads.map((thread) => thread.finished)).toEqual([true]);
    await expect(engine.synthesize(say('New.'))).rejects.toMatchObject({ retryable: true });
  });

  it('can be closed while its weights have not come', async () => {
    const { engine, threads } = anEngine();
    await engine.close();
    expect(threads).toHaveLength(0);
    expect(engine.status().state).toBe('failed');
  });
});
