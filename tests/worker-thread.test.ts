import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startWorkerThread, WorkerStopped, type WorkerThread } from '#server/worker-thread';
import type { EchoMethods } from './support/echo.worker.ts';

describe('a worker thread', () => {
  let thread: WorkerThread<EchoMethods>;
  let events: unknown[];
  let exits: (Error | null)[];

  beforeEach(() => {
    events = [];
    exits = [];
    thread = startWorkerThread<EchoMethods>(import.meta.url, './support/echo.worker', {
      onEvent: (event) => events.push(event),
      onExit: (error) => exits.push(error),
    });
  });
  afterEach(() => thread.terminate());

  it('answers calls, many at once, each with its own answer', async () => {
    const texts = Array.from({ length: 50 }, (_, index) => `text ${index}`);
    expect(await Promise.all(texts.map((text) => thread.call('echo', { text })))).toEqual(texts);
    expect(events).toEqual(['started']);
  });

  it('hands an error over with its sentence and whether trying again can help', async () => {
    await expect(thread.call('fail', { retryable: true })).rejects.toMatchObject({
      message: 'It failed.',
      retryable: true,
    });
    await expect(thread.call('fail', { retryable: false })).rejects.toMatchObject({ retryable: false });
  });

  it('moves buffers out of the thread', async () => {
    const data = await thread.call('buffer', { bytes: 1_000 });
    expect(data).toEqual(new Uint8Array(1_000).fill(7));
  });

  it('gives a call up with the reason of its signal, and goes on answering', async () => {
    const controller = new AbortController();
    const waiting = thread.call('wait', {}, controller.signal);
    const reason = new Error('No longer wanted.');
    controller.abort(reason);
    await expect(waiting).rejects.toBe(reason);
    await expect(thread.call('wait', {}, AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(await thread.call('echo', { text: 'still here' })).toBe('still here');
  });

  it('rejects what was under way when it crashes, and everything after that', async () => {
    await expect(thread.call('crash', undefined)).rejects.toBeInstanceOf(WorkerStopped);
    await expect(thread.call('echo', { text: 'hello' })).rejects.toBeInstanceOf(WorkerStopped);
    expect(exits).toMatchObject([{ message: 'Nobody caught this.' }]);
  });

  it('finishes only after its native work has ended', async () => {
    const done = new SharedArrayBuffer(4);
    const call = thread.call('native', { ms: 400, done });
    call.catch(() => {});
    await thread.call('echo', { text: 'the native work has begun' });
    const controlled = new Int32Array(done);
    expect(Atomics.load(controlled, 0)).toBe(0);
    const finished = thread.finish();
    await expect(call).rejects.toThrow();
    await finished;
    expect(Atomics.load(controlled, 0)).toBe(1);
    expect(exits).toEqual([null]);
    await thread.finish();
  });
});
