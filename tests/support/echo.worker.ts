import { setTimeout as delay } from 'node:timers/promises';
import { inNativeCode } from '#server/threads/pulse';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';

/** Native work cannot be cancelled: it continues after its caller gave up. */
let native: Promise<unknown> = Promise.resolve();

/** Sends an event to the parent. */
const tell = (event: unknown) => toOwner(event);

/** First cell: releases the native code; second: increases with every step of the thread. */
export interface Hang {
  where: 'in its own code' | 'in native code' | 'beside native code';
  /** Without them it hangs for ever. */
  cells?: SharedArrayBuffer;
}

async function hang({ where, cells = new SharedArrayBuffer(8) }: Hang): Promise<void> {
  const [door, steps] = [new Int32Array(cells, 0, 1), new Int32Array(cells, 4, 1)];
  const step = () => Atomics.add(steps, 0, 1);
  step();
  while (where === 'in its own code') step();
  if (where === 'in native code') await inNativeCode(async () => Atomics.wait(door, 0, 0));
  await inNativeCode(async () => {
    while (Atomics.load(door, 0) === 0) await delay(5);
  });
  step();
}

const methods = {
  load: hang,
  hang,
  echo: ({ text }: { text: string }) => text,
  fail: ({ retryable }: { retryable: boolean }) => {
    throw Object.assign(new Error('It failed.'), { retryable });
  },
  buffer: ({ bytes }: { bytes: number }) => {
    const data = new Uint8Array(bytes).fill(7);
    return new Transfer(data, [data.buffer as ArrayBuffer]);
  },
  /** Allocates memory outside the heap, where no heap limit applies, and keeps the thread busy. */
  fill: ({ megabytes }: { megabytes: number }) => {
    const held = Array.from({ length: megabytes }, () => new Uint8Array(1_000_000).fill(1));
    return held.length;
  },
  wait: async (_: object, signal: AbortSignal) => {
    await delay(60_000, undefined, { signal });
  },
  native: async ({ ms }: { ms: number }, signal: AbortSignal) => {
    native = delay(ms).then(() => tell('the native work is done'));
    await delay(60_000, undefined, { signal });
  },
  /** @returns the same array, and the size of the buffer it came in */
  numbers: ({ values }: { values: Float32Array }) => ({ values, bytes: values.buffer.byteLength }),
  where: () => ({ pid: process.pid, environment: Object.keys(process.env) }),
  crash: () => {
    setImmediate(() => {
      throw new Error('Nobody caught this.');
    });
    return delay(60_000);
  },
  /** Crashes like a native library that reads invalid memory. */
  crashNatively: async () => {
    process.kill(process.pid, 'SIGSEGV');
    await delay(60_000);
  },
};

export type EchoMethods = typeof methods;

const toOwner = serveWorkerThread(methods, { settled: () => native });
tell('started');
