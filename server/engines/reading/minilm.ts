import type { Logger } from 'pino';
import { keepThread } from '#server/engines/kept-thread';
import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import { startNativeThread } from '#server/threads/native-process';
import { askedTwice, type WorkerThread } from '#server/threads/worker-thread';
import type { ReadingEngine } from './contract.ts';
import type { MiniLmMethods } from './minilm.worker.ts';
import { DIMENSIONS, REVISION, weightsFolder } from './weights.ts';

type Thread = WorkerThread<MiniLmMethods>;

export interface MiniLmOptions {
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** Delays the start of the thread until it resolves. */
  begin?: Promise<void>;
  /** Folder of the weights. Default: the program's own. */
  folder?: string;
  /** A turn's request fails after this many milliseconds. Default 10 s. */
  turnLimitMs?: number;
  restartDelaysMs?: readonly number[];
  startThread?: (onExit: (error: Error | null) => void) => Thread;
}

/** Far more than a single text takes (a hundredth of it). */
const HANG_MS = 5_000;
const TURN_LIMIT_MS = 10_000;
/** Loading takes 0.3 s, so a turn under way when the thread stops still gets its answer. */
const RESTART_DELAYS_MS = [50, 2_000, 10_000, 30_000];

const startMiniLmThread: NonNullable<MiniLmOptions['startThread']> = (onExit) =>
  startNativeThread<MiniLmMethods>(import.meta.url, './minilm.worker', { onExit, hangMs: HANG_MS });

/**
 * The embedded reader in a thread of its own, with 8-bit weights: all-MiniLM-L6-v2 and bge-small-en-v1.5 make
 * vectors. The cross-encoder ms-marco-MiniLM-L-12-v2, fine-tuned on callers' questions, says whether a
 * passage answers a question; fine-tuned on entailment, whether a sentence follows. Requests wait while it
 * loads or restarts.
 */
export function createMiniLm(options: MiniLmOptions = {}): ReadingEngine {
  const { logger, turnLimitMs = TURN_LIMIT_MS, begin = Promise.resolve() } = options;

  const kept = keepThread<Thread, 'reading'>({
    weights: {
      ensure: async (_bundle, signal) => {
        await untilAborted(begin, signal);
        return options.folder ?? weightsFolder();
      },
      status: () => ({ state: 'ready', message: 'The weights are here.' }),
    },
    bundle: 'reading',
    logger,
    restartDelaysMs: options.restartDelaysMs ?? RESTART_DELAYS_MS,
    start: options.startThread ?? startMiniLmThread,
    load: (thread, dir) => thread.call('load', { dir }),
    sentences: {
      loading: 'The reader is being loaded.',
      ready: 'The reader is ready.',
      restarting: 'The reader stopped and is starting again.',
      loadFailed: 'The reader could not be loaded and is tried again.',
      off: 'The reader is switched off.',
    },
  });

  async function ask<A>(call: (thread: Thread) => Promise<A>, signal: AbortSignal): Promise<A> {
    try {
      const answer = await askedTwice(async () => call(await kept.whenReady(signal)));
      kept.worked();
      return answer;
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof EngineError) throw error;
      throw new EngineError('The reader failed; try again in a moment.', { retryable: true, cause: error });
    }
  }

  /**
   * Limits a turn's request in time, since a customer waits; other requests may take as long as they need.
   */
  async function askAs<A>(
    urgency: 'turn' | 'index',
    call: (thread: Thread, signal: AbortSignal) => Promise<A>,
    signal = new AbortController().signal,
  ): Promise<A> {
    if (urgency === 'index') return ask((thread) => call(thread, signal), signal);
    const own = new AbortController();
    const onAbort = () => own.abort(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    const limit = setTimeout(
      () => own.abort(new EngineError('The reader is too busy; try again in a moment.', { retryable: true })),
      turnLimitMs,
    );
    try {
      return await ask((thread) => call(thread, own.signal), own.signal);
    } finally {
      clearTimeout(limit);
      signal.removeEventListener('abort', onAbort);
    }
  }

  return {
    name: 'MiniLM',
    revision: REVISION,
    dimensions: DIMENSIONS,
    status: kept.status,
    async embed(texts, { signal, urgency = 'turn', turn, following, as = 'passage' } = {}) {
      signal?.throwIfAborted();
      const joined = await askAs(
        urgency,
        (thread, own) => thread.call('embed', { texts, urgency, turn, following, as }, own),
        signal,
      );
      return texts.map((_, n) => joined.slice(n * DIMENSIONS, (n + 1) * DIMENSIONS));
    },
    async relevance(question, texts, { signal, urgency = 'turn', turn } = {}) {
      signal?.throwIfAborted();
      return askAs(
        urgency,
        (thread, own) => thread.call('relevance', { question, texts, urgency, turn }, own),
        signal,
      );
    },
    async entailment(sentence, text, { signal, urgency = 'turn', turn } = {}) {
      signal?.throwIfAborted();
      return askAs(
        urgency,
        (thread, own) => thread.call('entailment', { sentence, text, urgency, turn }, own),
        signal,
      );
    },
    prepareEntailment() {
      ask((thread) => thread.call('prepareEntailment', undefined), new AbortController().signal).catch(
        () => {},
      );
    },
    close: () => kept.close(),
  };
}
