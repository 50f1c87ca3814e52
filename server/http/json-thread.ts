import { askedTwice, startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { JsonMethods } from './json.worker.ts';
import { type ReadJson, readJson } from './read-json.ts';

/** Reads the bodies of requests. */
interface JsonReader {
  /** @returns null for what is no JSON, or would change prototypes */
  read(body: Uint8Array): Promise<ReadJson | null>;
  close(): Promise<void>;
}

/** What is shorter is parsed sooner than a thread is told of it. */
const LONG_BYTES = 500_000;
/** The longest body takes a tenth of a second; on a busy machine others stand in its way. */
const HANG_MS = 60_000;
/** A thread that has nothing to do for so long goes, with the memory that it took. */
const IDLE_MS = 60_000;

/** Parses long bodies beside those who are answered. The thread starts with the first of them, and again after it stopped. */
export function createJsonReader(): JsonReader {
  let thread: WorkerThread<JsonMethods> | null = null;
  let reading = 0;
  let idle: NodeJS.Timeout | undefined;

  function end(): Promise<void> | undefined {
    const ending = thread?.finish();
    thread = null;
    return ending;
  }
  function running(): WorkerThread<JsonMethods> {
    if (thread) return thread;
    const started: WorkerThread<JsonMethods> = startWorkerThread(import.meta.url, './json.worker', {
      hangMs: HANG_MS,
      onExit: () => {
        if (thread === started) thread = null;
      },
    });
    thread = started;
    return started;
  }

  return {
    async read(body) {
      if (body.byteLength <= LONG_BYTES) return readJson(body);
      clearTimeout(idle);
      reading++;
      try {
        return await askedTwice(() => running().call('read', { body }));
      } finally {
        if (--reading === 0) idle = setTimeout(() => void end(), IDLE_MS).unref();
      }
    },
    async close() {
      clearTimeout(idle);
      await end();
    },
  };
}
