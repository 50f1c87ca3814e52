import type { Logger } from 'pino';
import { EngineError } from '#server/engines/engine-error';
import { keepThread } from '#server/engines/kept-thread';
import { untilAborted } from '#server/wait';
import { startWorkerThread, WorkerStopped, type WorkerThread } from '#server/worker-thread';
import type { ReadingEngine } from './contract.ts';
import { HangWatch } from './hang-watch.ts';
import type { MiniLmMethods } from './minilm.worker.ts';
import { Pulse } from './pulse.ts';
import { DIMENSIONS, REVISION, weightsFolder } from './weights.ts';

type Thread = WorkerThread<MiniLmMethods>;

export interface MiniLmOptions {
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** The thread is not started before it resolves. */
  begin?: Promise<void>;
  /** Where the weights lie. Default: in the program. */
  folder?: string;
  /** A single text that takes longer, in milliseconds, means that the thread hangs. Default 5 s; it is noticed within half of it more. */
  hangMs?: number;
  /** The same for loading one of the models, from a slow disk perhaps. Default 60 s. */
  loadHangMs?: number;
  /** What a turn asks and does not get within this many milliseconds fails. Default 10 s. */
  turnLimitMs?: number;
  restartDelaysMs?: readonly number[];
  /** Starts the thread that reads. */
  startThread?: (onExit: (error: Error | null) => void) => Thread;
}

const HANG_MS = 5_000;
const LOAD_HANG_MS = 60_000;
const TURN_LIMIT_MS = 10_000;
/** Loading takes 0.3 s, so a turn under way when the thread stops is answered yet. */
const RESTART_DELAYS_MS = [50, 2_000, 10_000, 30_000];
/** A request under way when the thread stops is asked again once: what stops two threads may be the request. */
const ATTEMPTS = 2;

const startMiniLmThread: NonNullable<MiniLmOptions['startThread']> = (onExit) =>
  startWorkerThread<MiniLmMethods>(import.meta.url, './minilm.worker', { onExit });

/**
 * The embedded reader in a thread of its own: all-MiniLM-L6-v2 and bge-small-en-v1.5 make vectors, the cross-encoder
 * ms-marco-MiniLM-L-12-v2 says how a passage bears on a question, all with 8-bit weights. Requests wait while it loads
 * or starts again.
 */
export function createMiniLm(options: MiniLmOptions = {}): ReadingEngine {
  const { logger, hangMs = HANG_MS, loadHangMs = LOAD_HANG_MS, turnLimitMs = TURN_LIMIT_MS } = options;
  const { begin = Promise.resolve() } = options;
  const startThread = options.startThread ?? startMiniLmThread;
  const watches = new WeakMap<Thread, HangWatch>();

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
    start: startThread,
    load(thread, dir) {
      const pulse = new Pulse();
      const onHang = () => giveUp(thread, pulse);
      watches.set(thread, new HangWatch(pulse, hangMs, onHang));
      const loading = new HangWatch(pulse, loadHangMs, onHang);
      return loading.over(thread.call('load', { dir, pulse: pulse.shared }));
    },
    sentences: {
      loading: 'The reader is being loaded.',
      ready: 'The reader is ready.',
      restarting: 'The reader stopped and is starting again.',
      loadFailed: 'The reader could not be loaded and is tried again.',
      off: 'The reader is switched off.',
    },
  });

  /**
   * Cut off in the middle of a native run, onnxruntime-node ends the whole process ("terminate called after throwing an
   * instance of 'Napi::Error'"); between runs it does not mind. So a thread that hangs in a run is left behind.
   */
  function giveUp(thread: Thread, pulse: Pulse): void {
    logger?.warn('The reader hangs and is replaced');
    kept.leave(thread);
    if (!pulse.isNative) void thread.terminate();
  }

  async function ask<A>(call: (thread: Thread) => Promise<A>, signal: AbortSignal): Promise<A> {
    for (let attempt = 1; ; attempt++) {
      const thread = await kept.whenReady(signal);
      try {
        const answer = await (watches.get(thread)?.over(call(thread)) ?? call(thread));
        kept.worked();
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (attempt < ATTEMPTS && error instanceof WorkerStopped) continue;
        throw new EngineError('The reader failed; try again in a moment.', { retryable: true, cause: error });
      }
    }
  }

  /** Asks for a turn: no longer than its limit, since somebody waits. */
  async function askForTurn<A>(
    call: (thread: Thread, signal: AbortSignal) => Promise<A>,
    signal: AbortSignal | undefined,
  ): Promise<A> {
    const own = new AbortController();
    const onAbort = () => own.abort(signal?.reason);
    signal?.addEventListener('abort', onAbort, { once: true });
    const limit = setTimeout(
      () => own.abort(new EngineError('The reader is too busy; try again in a moment.', { retryable: true })),
      turnLimitMs,
    );
    try {
      return await ask((thread) => call(thread, own.signal), own.signal);
    } finally {
      clearTimeout(limit);
      signal?.removeEventListener('abort', onAbort);
    }
  }

  return {
    name: 'MiniLM',
    revision: REVISION,
    dimensions: DIMENSIONS,
    status: kept.status,
    async embed(texts, { signal, urgency = 'turn', turn, as = 'passage' } = {}) {
      signal?.throwIfAborted();
      const embed = (thread: Thread, own?: AbortSignal) =>
        thread.call('embed', { texts, urgency, turn, as }, own);
      const joined =
        urgency === 'turn'
          ? await askForTurn(embed, signal)
          : await ask((thread) => embed(thread, signal), signal ?? new AbortController().signal);
      return texts.map((_, n) => joined.slice(n * DIMENSIONS, (n + 1) * DIMENSIONS));
    },
    async relevance(question, texts, { signal, turn } = {}) {
      signal?.throwIfAborted();
      return askForTurn((thread, own) => thread.call('relevance', { question, texts, turn }, own), signal);
    },
    close: () => kept.close(),
  };
}
