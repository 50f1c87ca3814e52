import { setMaxListeners } from 'node:events';
import { EngineError } from '#server/lib/engine-error';
import { FairTurns, type QueuedWork } from '#server/lib/fair-turns';
import { timeLimit, untilAborted } from '#server/lib/wait';
import { startThreadApart } from '#server/threads/native-process';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { DocumentsEngine } from './contract.ts';
import type { Answer, DocumentsMethods } from './documents.worker.ts';

/** Longest time for one file; a thousand pages take a third of it. */
const TIMEOUT_MS = 30_000;
/** JavaScript heap for one file, in megabytes. */
const HEAP_MB = 384;
/** Memory of a process with one file, buffers and Node.js included, in megabytes. */
const RESIDENT_MB = 600;
/** A process is replaced after this many files, or after being idle for this long. */
const KEPT_FILES = 25;
const KEPT_MS = 30_000;

/** Files read at once. One per account, so that a hostile file delays only its own account. */
const TURNS = { places: 2, placesPerAccount: 1, patientPlaces: 1 };

interface DocumentsOptions {
  timeoutMs?: number;
  heapMb?: number;
  residentMb?: number;
}

interface Reader {
  thread: WorkerThread<DocumentsMethods>;
  files: number;
  isGone: boolean;
  leaving?: NodeJS.Timeout;
}

type Ask<T> = (thread: Reader['thread'], signal: AbortSignal) => Promise<Answer<T>>;

/**
 * Reads each file in a process with limits of time and memory. A file that exceeds them costs only its
 * process. The process is also replaced after a file that took much memory within them, because only its end
 * releases all of it.
 */
export function createDocuments({
  timeoutMs = TIMEOUT_MS,
  heapMb = HEAP_MB,
  residentMb = RESIDENT_MB,
}: DocumentsOptions = {}): DocumentsEngine {
  const turns = new FairTurns(TURNS);
  const closing = new AbortController();
  // Every waiting read listens to this signal.
  setMaxListeners(0, closing.signal);
  /** Processes that are free. */
  const idle: Reader[] = [];
  const underWay = new Set<Promise<unknown>>();

  function start(): Reader {
    const reader: Reader = {
      thread: startThreadApart<DocumentsMethods>(import.meta.url, './documents.worker', {
        // Time is limited here: a slow file is not a hang.
        hangMs: null,
        heapMb,
        residentMb,
        onExit: () => {
          reader.isGone = true;
        },
      }),
      files: 0,
      isGone: false,
    };
    return reader;
  }

  function take(): Reader {
    for (let reader = idle.pop(); reader; reader = idle.pop()) {
      clearTimeout(reader.leaving);
      if (!reader.isGone) return reader;
    }
    return start();
  }

  function keep(reader: Reader): void {
    reader.leaving = setTimeout(() => void dismiss(reader), KEPT_MS).unref();
    idle.push(reader);
  }

  function dismiss(reader: Reader): Promise<void> {
    clearTimeout(reader.leaving);
    if (idle.includes(reader)) idle.splice(idle.indexOf(reader), 1);
    return reader.thread.terminate();
  }

  async function readNow<T>(ask: Ask<T>, signal: AbortSignal): Promise<T> {
    const reader = take();
    const clock = timeLimit(timeoutMs);
    let isGood = false;
    try {
      const answer = await ask(reader.thread, AbortSignal.any([signal, clock]));
      isGood = ++reader.files < KEPT_FILES && !answer.tookMuch;
      if ('problem' in answer) throw new EngineError(answer.problem, { retryable: false });
      return answer.read;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      throw new EngineError(
        clock.aborted
          ? 'This file takes too long to read. Divide it into several files, or save it as text.'
          : 'This file cannot be read: it takes too much memory, or is made to break what reads it.',
        { retryable: false, cause: error },
      );
    } finally {
      if (isGood && !closing.signal.aborted) keep(reader);
      // The signal does not stop the work in the process, so end the process.
      else await dismiss(reader);
    }
  }

  function inTurn<T>(work: QueuedWork, ask: Ask<T>, given: AbortSignal | undefined): Promise<T> {
    const signal = given ? AbortSignal.any([given, closing.signal]) : closing.signal;
    const done = turns.run(work, () => readNow(ask, signal), signal);
    underWay.add(done);
    done.catch(() => {}).finally(() => underWay.delete(done));
    return untilAborted(done, signal);
  }

  return {
    read: (file, work, signal) => inTurn(work, (thread, ends) => thread.call('read', file, ends), signal),
    readSitemap: (file, most, work, signal) =>
      inTurn(work, (thread, ends) => thread.call('readSitemap', { file, most }, ends), signal),
    async close() {
      closing.abort(new EngineError('The server is closing.', { retryable: true }));
      await Promise.allSettled(underWay);
      await Promise.all(idle.map(dismiss));
    },
  };
}
