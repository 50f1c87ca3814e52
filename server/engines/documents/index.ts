import { EngineError } from '#server/engines/engine-error';
import { untilAborted } from '#server/wait';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { DocumentsEngine, GivenFile, ReadFile } from './contract.ts';
import type { DocumentsMethods } from './documents.worker.ts';

/** One file takes no longer; a thousand pages take a third of it. */
const TIMEOUT_MS = 30_000;
/** What a thread may fill with one file. */
const HEAP_MB = 384;
/** A thread leaves when nobody has needed it for so long. */
const IDLE_MS = 30_000;

interface DocumentsOptions {
  timeoutMs?: number;
  heapMb?: number;
  startThread?: (onExit: () => void) => WorkerThread<DocumentsMethods>;
}

/**
 * Reads files one after the other in a thread with limits of time and memory. A file that passes them costs its thread
 * and nothing else: the next one gets another.
 */
export function createDocuments({
  timeoutMs = TIMEOUT_MS,
  heapMb = HEAP_MB,
  startThread = (onExit) =>
    // Watched here: what takes long in it is a file, not a hang.
    startWorkerThread<DocumentsMethods>(import.meta.url, './documents.worker', {
      hangMs: null,
      heapMb,
      onExit,
    }),
}: DocumentsOptions = {}): DocumentsEngine {
  let thread: WorkerThread<DocumentsMethods> | null = null;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let leaving: NodeJS.Timeout | undefined;
  let isClosed = false;

  const running = () => {
    const started =
      thread ??
      startThread(() => {
        if (thread === started) thread = null;
      });
    thread = started;
    return started;
  };

  const dismiss = () => {
    const gone = thread;
    thread = null;
    return gone?.terminate();
  };

  async function readNow(file: GivenFile, signal: AbortSignal | undefined): Promise<ReadFile> {
    signal?.throwIfAborted();
    if (isClosed) throw new EngineError('The server is closing.', { retryable: true });
    const clock = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await running().call('read', file, signal ? AbortSignal.any([signal, clock]) : clock);
      if ('problem' in answer) throw new EngineError(answer.problem, { retryable: false });
      return answer.read;
    } catch (error) {
      // What it was at is not stopped by a signal.
      if (clock.aborted || signal?.aborted) await dismiss();
      signal?.throwIfAborted();
      if (error instanceof EngineError) throw error;
      throw new EngineError(
        clock.aborted
          ? 'This file takes too long to read. Divide it into several files, or save it as text.'
          : 'This file cannot be read: it takes too much memory, or is made to break what reads it.',
        { retryable: false, cause: error },
      );
    }
  }

  return {
    read(file, signal) {
      clearTimeout(leaving);
      waiting++;
      const mine = last.then(() => readNow(file, signal));
      last = mine
        .catch(() => {})
        .finally(() => {
          waiting--;
          if (waiting === 0) leaving = setTimeout(() => void dismiss(), IDLE_MS).unref();
        });
      return untilAborted(mine, signal);
    },
    async close() {
      isClosed = true;
      clearTimeout(leaving);
      await dismiss();
      await last;
    },
  };
}
