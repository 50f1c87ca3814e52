import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startNativeThread } from '#server/threads/native-process';
import {
  askedTwice,
  startWorkerThread,
  THREAD_STOPPED,
  WorkerStopped,
  type WorkerThread,
} from '#server/threads/worker-thread';
import type { EchoMethods, Hang } from './support/echo.worker.ts';

describe.each([
  ['of this process', startWorkerThread],
  ['of the process of the native engines', startNativeThread],
])('a worker thread %s', (_, start) => {
  let thread: WorkerThread<EchoMethods>;
  let events: unknown[];
  let exits: (Error | null)[];

  beforeEach(() => {
    events = [];
    exits = [];
    thread = start<EchoMethods>(import.meta.url, './support/echo.worker', {
      hangMs: null,
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

  it('is handed numbers as such, in a buffer of their own', async () => {
    const all = Float32Array.from({ length: 1_000 }, (_, n) => n / 3);
    const few = await thread.call('numbers', { values: all.slice(1, 6) });
    expect(few).toEqual({ values: all.slice(1, 6), bytes: 20 });
    expect(few.values.buffer.byteLength).toBe(20);
    const many = Float32Array.from({ length: 100_000 }, (_, n) => n);
    const { values } = await thread.call('numbers', { values: many });
    expect(Buffer.from(values.buffer).equals(Buffer.from(many.buffer))).toBe(true);
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

  it('is told to whoever counts when it crashes, and not when it was asked to stop', async () => {
    const told: unknown[] = [];
    const count = (message: unknown) => void told.push(message);
    subscribe(THREAD_STOPPED, count);
    await thread.call('crash', undefined).catch(() => {});
    const asked = start<EchoMethods>(import.meta.url, './support/echo.worker', { hangMs: null });
    await asked.finish();
    unsubscribe(THREAD_STOPPED, count);
    expect(told).toEqual([{ name: './support/echo.worker', hangs: false }]);
  });

  it('finishes only after its native work has ended', async () => {
    const call = thread.call('native', { ms: 400 });
    call.catch(() => {});
    await thread.call('echo', { text: 'the native work has begun' });
    expect(events).not.toContain('the native work is done');
    const finished = thread.finish();
    await expect(call).rejects.toThrow();
    await finished;
    expect(events).toContain('the native work is done');
    expect(exits).toEqual([null]);
    await thread.finish();
  });
});

describe('a worker thread that hangs', () => {
  const LIMIT_MS = 1_000_000;
  /** The clock of the watch stands still until a test moves it; the threads have their own. */
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
  afterEach(() => void vi.useRealTimers());
  const pass = (ms: number) => vi.advanceTimersByTime(1.5 * ms);

  async function hanging(
    where: Hang['where'],
    isNeverCutOff = false,
    method: 'hang' | 'load' = 'hang',
    givesUp = false,
  ) {
    const caller = new AbortController();
    const exits: (Error | null)[] = [];
    const thread = startWorkerThread<EchoMethods>(import.meta.url, './support/echo.worker', {
      hangMs: LIMIT_MS,
      startHangMs: 10 * LIMIT_MS,
      isNeverCutOff,
      onExit: (error) => exits.push(error),
    });
    const shared = new SharedArrayBuffer(8);
    const cells = new Int32Array(shared);
    const answer = thread.call(method, { where, cells: shared }, caller.signal);
    const rejected = answer.then(
      () => null,
      (error: unknown) => error,
    );
    const lost = async () => expect(await rejected).toBeInstanceOf(givesUp ? Error : WorkerStopped);
    const steps = () => Atomics.load(cells, 1);
    await expect.poll(steps).toBeGreaterThan(0);
    if (givesUp) caller.abort(new Error('too long'));
    const comeBack = () => {
      Atomics.store(cells, 0, 1);
      Atomics.notify(cells, 0);
    };
    return { thread, exits, lost, steps, comeBack };
  }
  const told = [{ message: 'The worker ./support/echo.worker hangs.' }];

  it('in its own code is told as stopped, and cut off', async () => {
    const { thread, exits, lost, steps } = await hanging('in its own code');
    pass(LIMIT_MS);
    await lost();
    expect(exits).toMatchObject(told);
    const before = steps();
    await expect(thread.call('echo', { text: 'hello' })).rejects.toBeInstanceOf(WorkerStopped);
    await thread.finish();
    await thread.terminate();
    expect(steps()).toBe(before);
    expect(exits).toHaveLength(1);
  });

  it.each(['in native code', 'beside native code'] as const)(
    '%s is told as stopped, and left behind even by who closes it',
    async (where) => {
      const { thread, exits, lost, steps, comeBack } = await hanging(where);
      pass(LIMIT_MS);
      await lost();
      expect(exits).toMatchObject(told);
      await thread.terminate();
      await thread.finish();
      comeBack();
      await expect.poll(steps).toBe(2);
      expect(exits).toHaveLength(1);
    },
  );

  it('anywhere is left behind, if native threads of its own must find it there', async () => {
    const { lost, steps } = await hanging('in its own code', true);
    pass(LIMIT_MS);
    await lost();
    const before = steps();
    await expect.poll(steps).not.toBe(before);
  });

  it('is noticed even if whoever asked has given up meanwhile', async () => {
    const { thread, exits, comeBack } = await hanging('in native code', false, 'hang', true);
    expect(exits).toEqual([]);
    pass(LIMIT_MS);
    expect(exits).toMatchObject(told);
    comeBack();
    await thread.finish();
  });

  it('while it loads is given longer', async () => {
    const { exits, lost } = await hanging('in its own code', false, 'load');
    pass(LIMIT_MS);
    expect(exits).toEqual([]);
    pass(10 * LIMIT_MS);
    await lost();
    expect(exits).toMatchObject(told);
  });
});

describe('askedTwice', () => {
  const asking = async (error: Error) => {
    let asked = 0;
    const answer = await askedTwice(async () => {
      if (++asked === 1) throw error;
      return 'answer';
    }).catch(() => 'refused');
    return [asked, answer];
  };

  it('asks again when the thread stopped by itself, and not when it was told to or refused', async () => {
    expect(await asking(new WorkerStopped('gone'))).toEqual([2, 'answer']);
    expect(await asking(new WorkerStopped('closed', { wasWanted: true }))).toEqual([1, 'refused']);
    expect(await asking(new Error('no'))).toEqual([1, 'refused']);
  });
});
