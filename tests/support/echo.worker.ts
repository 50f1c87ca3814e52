import { setTimeout as delay } from 'node:timers/promises';
import { serveWorkerThread, Transfer } from '#server/worker-thread';

/** Native work cannot be given up: it goes on after its caller has. */
let native: Promise<unknown> = Promise.resolve();

const methods = {
  echo: ({ text }: { text: string }) => text,
  fail: ({ retryable }: { retryable: boolean }) => {
    throw Object.assign(new Error('It failed.'), { retryable });
  },
  buffer: ({ bytes }: { bytes: number }) => {
    const data = new Uint8Array(bytes).fill(7);
    return new Transfer(data, [data.buffer as ArrayBuffer]);
  },
  wait: async (_: object, signal: AbortSignal) => {
    await delay(60_000, undefined, { signal });
  },
  native: async ({ ms, done }: { ms: number; done: SharedArrayBuffer }, signal: AbortSignal) => {
    native = delay(ms).then(() => Atomics.store(new Int32Array(done), 0, 1));
    await delay(60_000, undefined, { signal });
  },
  crash: () => {
    setImmediate(() => {
      throw new Error('Nobody caught this.');
    });
    return delay(60_000);
  },
};

export type EchoMethods = typeof methods;

const tell = serveWorkerThread(methods, { settled: () => native });
tell('started');
