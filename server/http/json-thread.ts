import { askedTwice, startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { JsonMethods } from './json.worker.ts';
import { type ReadJson, readJson } from './read-json.ts';

/** Parses request bodies. */
interface JsonReader {
  /** @returns null if it is not JSON or would change prototypes */
  read(body: Uint8Array): Promise<ReadJson | null>;
  close(): Promise<void>;
}

/** Shorter bodies are parsed faster than they are sent to a thread. */
const LONG_BYTES = 500_000;
/** The longest body takes a tenth of a second; allow for other work on a busy machine. */
const HANG_MS = 60_000;
/** An idle thread ends after this long, which releases its memory. */
const IDLE_MS = 60_000;

/**
 * Parses long bodies in a thread, so that other requests are not delayed. The thread starts with the first of
 * them, and again after it stopped.
 */
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
