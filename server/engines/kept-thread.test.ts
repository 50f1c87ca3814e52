import { afterEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import { type KeptThread, type KeptThreadOptions, keepThread } from './kept-thread.ts';

type Methods = { work: (args: string) => string };
type Thread = WorkerThread<Methods>;

const settle = () => new Promise((resolve) => setTimeout(resolve, 10));
const sentences = {
  loading: 'It loads.',
  ready: 'It is ready.',
  restarting: 'It starts again.',
  loadFailed: 'It could not be loaded.',
  off: 'It is off.',
};

const opened: KeptThread<Thread>[] = [];
afterEach(async () => {
  for (const kept of opened.splice(0)) await kept.close();
});

/** A kept thread whose weights arrive and whose threads crash when the test says so. */
function aKeptThread(options: Partial<KeptThreadOptions<Thread>> = {}) {
  const state: { status: EngineStatus; come: () => void } = {
    status: { state: 'fetching', progress: 0.4, message: 'It is being fetched.' },
    come: () => {},
  };
  const arrival = new Promise<string>((resolve) => {
    state.come = () => {
      state.status = { state: 'ready', message: 'It is here.' };
      resolve('/models/hearing');
    };
  });
  const threads: { finished: number; crash: () => void; thread: Thread }[] = [];
  const loaded: string[] = [];
  const kept = keepThread<Thread>({
    weights: {
      status: () => state.status,
      ensure: (_bundle, signal) =>
        new Promise((resolve, reject) => {
          arrival.then(resolve);
          signal?.addEventListener('abort', () => reject(signal.reason));
        }),
    },
    bundle: 'hearing',
    start(onExit) {
      const record = {
        finished: 0,
        crash: () => onExit(new Error('crashed')),
        thread: {
          call: async () => 'done' as never,
          finish: async () => {
            record.finished++;
            onExit(null);
          },
          terminate: async () => {},
        },
      };
      threads.push(record);
      return record.thread;
    },
    load: async (_thread, dir) => loaded.push(dir),
    sentences,
    restartDelaysMs: [5],
    ...options,
  });
  opened.push(kept);
  return { kept, threads, loaded, come: () => state.come() };
}

describe('keepThread', () => {
  it('says what it waits for, loads, and hands out the thread', async () => {
    const { kept, threads, loaded, come } = aKeptThread();
    expect(kept.status()).toMatchObject({ state: 'fetching', progress: 0.4 });
    expect(() => kept.current()).toThrow(new EngineError('It is being fetched.', { retryable: true }));
    const waiting = kept.whenReady();
    come();
    const thread = await waiting;
    expect(thread).toBe(threads[0]?.thread);
    expect(kept.current()).toBe(thread);
    expect(await kept.whenReady()).toBe(thread);
    expect(loaded).toEqual(['/models/hearing']);
    expect(kept.status()).toEqual({ state: 'ready', message: 'It is ready.' });
  });

  it('is loading once its weights are here', async () => {
    let loaded: () => void = () => {};
    const { kept, come } = aKeptThread({ load: () => new Promise<void>((resolve) => (loaded = resolve)) });
    come();
    await settle();
    expect(kept.status()).toEqual({ state: 'loading', message: 'It loads.' });
    loaded();
    await kept.whenReady();
  });

  it('starts the thread again when it stops, and lets those wait who can', async () => {
    const { kept, threads, come } = aKeptThread({ restartDelaysMs: [50] });
    come();
    await kept.whenReady();
    threads[0]?.crash();
    await settle();
    expect(kept.status()).toEqual({ state: 'failed', message: 'It starts again.' });
    expect(() => kept.current()).toThrow('It starts again.');
    expect(await kept.whenReady()).toBe(threads[1]?.thread);
    expect(threads[0]?.finished).toBe(1);
  });

  it('replaces a thread that hangs, and does not mind what it says later', async () => {
    const { kept, threads, come } = aKeptThread();
    come();
    const hanging = await kept.whenReady();
    threads[0]?.crash();
    expect(kept.status()).toEqual({ state: 'failed', message: 'It starts again.' });
    const next = await kept.whenReady();
    expect(next).not.toBe(hanging);
    threads[0]?.crash();
    await settle();
    expect(kept.current()).toBe(next);
  });

  it('hands out no thread that has stopped, not even to one who learns of it first', async () => {
    const { kept, threads, come } = aKeptThread();
    come();
    const first = await kept.whenReady();
    threads[0]?.crash();
    expect(await kept.whenReady()).not.toBe(first);
  });

  it('tries again to load after a failure that may pass, with a sentence of its own or the general one', async () => {
    const failures = [new EngineError('It is tired.', { retryable: true }), new Error('ONNX says no')];
    const seen: string[] = [];
    const { kept, threads, come } = aKeptThread({
      restartDelaysMs: [20],
      load: async () => {
        const failure = failures.shift();
        if (failure) throw failure;
      },
    });
    come();
    const watching = setInterval(() => seen.push(kept.status().message), 2);
    await kept.whenReady();
    clearInterval(watching);
    expect(seen).toContain('It is tired.');
    expect(seen).toContain('It could not be loaded.');
    expect(threads.map(({ finished }) => finished)).toEqual([1, 1, 0]);
  });

  it('gives up for good where it can never load, and lets nobody wait', async () => {
    const { kept, threads, come } = aKeptThread({
      load: () => Promise.reject(new EngineError('Not on this machine.', { retryable: false })),
    });
    const waiting = kept.whenReady();
    come();
    await expect(waiting).rejects.toMatchObject({ message: 'Not on this machine.', retryable: false });
    await expect(kept.whenReady()).rejects.toThrow('Not on this machine.');
    await settle();
    expect(threads).toHaveLength(1);
  });

  it('lets one give up waiting', async () => {
    const { kept, come } = aKeptThread();
    const controller = new AbortController();
    const waiting = kept.whenReady(controller.signal);
    const patient = kept.whenReady();
    controller.abort(new Error('hung up'));
    await expect(waiting).rejects.toThrow('hung up');
    come();
    await patient;
  });

  it.each(['before its weights came', 'when it was ready'])('can be closed %s', async (when) => {
    const { kept, threads, come } = aKeptThread();
    if (when === 'when it was ready') {
      come();
      await kept.whenReady();
    }
    const waiting = when === 'when it was ready' ? null : kept.whenReady();
    const refused = waiting && expect(waiting).rejects.toThrow('It is off.');
    await kept.close();
    await refused;
    expect(kept.status()).toEqual({ state: 'failed', message: 'It is off.' });
    expect(threads.every(({ finished }) => finished > 0)).toBe(true);
    await expect(kept.whenReady()).rejects.toMatchObject({ name: 'EngineError', retryable: false });
  });
});
