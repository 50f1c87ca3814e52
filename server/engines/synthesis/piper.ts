import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import { EngineError } from '#server/engines/engine-error';
import type { Weights } from '#server/engines/weights/contract';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { SynthesisEngine } from './contract.ts';
import type { PiperMethods, PiperVoice } from './piper.worker.ts';
import { SpeechCache } from './speech-cache.ts';

export interface PiperOptions {
  weights: Weights;
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** Default: a calm, clear speaker at a natural pace. */
  voice?: PiperVoice;
  /** Bound on the finished sentences kept, in bytes of audio; 0 keeps none. Default 4 MB, some ten minutes. */
  cacheBytes?: number;
  /** Waits before the thread is started again; the last one repeats. */
  restartDelaysMs?: readonly number[];
  /** Starts the thread that speaks. */
  startThread?: (onExit: (error: Error | null) => void) => WorkerThread<PiperMethods>;
}

/** Chosen among six that sound good by how well a recogniser understands it: see docs/engines.md. */
const DEFAULT_VOICE: PiperVoice = { speaker: 162, speed: 0.82 };
const CACHE_BYTES = 4_000_000;
const RESTART_DELAYS_MS = [500, 2_000, 10_000, 30_000];
/** Two were measured to be worth it on two cores; what more bring on larger machines was not. */
const MAX_THREADS = 2;

type Phase =
  | { is: 'waiting-for-weights' }
  | { is: 'loading' }
  | { is: 'ready'; thread: WorkerThread<PiperMethods> }
  | { is: 'failed'; message: string };

const startPiperThread: NonNullable<PiperOptions['startThread']> = (onExit) =>
  startWorkerThread<PiperMethods>(import.meta.url, './piper.worker', { onExit });

/**
 * The embedded voice: Piper in a thread of its own. Begins at once to fetch its weights and to load; until then, and
 * while its thread starts again after a crash, `synthesize` rejects with a retryable EngineError that says why.
 * Text that holds nothing to say (only emoji, only another script) answers 50 ms of silence, a file like any other.
 */
export function createPiper(options: PiperOptions): SynthesisEngine {
  const { weights, logger } = options;
  const voice = options.voice ?? DEFAULT_VOICE;
  const startThread = options.startThread ?? startPiperThread;
  const delays = options.restartDelaysMs ?? RESTART_DELAYS_MS;
  const cache = new SpeechCache(options.cacheBytes ?? CACHE_BYTES);
  const closing = new AbortController();
  let phase: Phase = { is: 'waiting-for-weights' };
  let failuresInARow = 0;

  /** Brings the voice up and keeps it up until the engine is closed. */
  async function keepRunning(): Promise<void> {
    for (;;) {
      phase = { is: 'waiting-for-weights' };
      const dir = await weights.ensure('voice', closing.signal);
      phase = { is: 'loading' };
      const stopped = await runOnce(dir);
      closing.signal.throwIfAborted();
      phase = { is: 'failed', message: stopped.message };
      if (!stopped.retryable) return logger?.warn('The voice cannot run here');
      logger?.warn({ failuresInARow }, 'The voice stopped and is started again');
      await delay(delays[Math.min(failuresInARow++, delays.length - 1)], undefined, {
        signal: closing.signal,
      });
    }
  }

  /** Runs one thread until it stops. @returns why it did, and whether starting again can help */
  async function runOnce(dir: string): Promise<{ message: string; retryable: boolean }> {
    let stopped: (error: Error | null) => void = () => {};
    const exit = new Promise<Error | null>((resolve) => {
      stopped = resolve;
    });
    const thread = startThread(stopped);
    const onClose = () => void thread.finish();
    closing.signal.addEventListener('abort', onClose, { once: true });
    try {
      await thread.call('load', { dir, voice, threads: Math.min(MAX_THREADS, availableParallelism()) });
      phase = { is: 'ready', thread };
      logger?.info('The voice is ready');
      await exit;
      return {
        message: 'The voice stopped and is starting again; text works meanwhile.',
        retryable: true,
      };
    } catch (error) {
      if (error instanceof Error && 'retryable' in error)
        return { message: error.message, retryable: error.retryable === true };
      return {
        message: 'The voice stopped while it was loaded and is tried again; text works meanwhile.',
        retryable: true,
      };
    } finally {
      closing.signal.removeEventListener('abort', onClose);
      await thread.finish();
    }
  }

  const running = keepRunning().catch((error: unknown) => {
    const message = error instanceof EngineError ? error.message : 'The voice is switched off.';
    phase = { is: 'failed', message };
  });

  function status(): EngineStatus {
    switch (phase.is) {
      case 'waiting-for-weights':
        return weights.status('voice').state === 'ready' ? loadingStatus : weights.status('voice');
      case 'loading':
        return loadingStatus;
      case 'ready':
        return { state: 'ready', message: 'The voice is ready.' };
      case 'failed':
        return { state: 'failed', message: phase.message };
    }
  }

  return {
    name: 'Piper',
    status,
    async synthesize({ text, urgency, signal }) {
      signal?.throwIfAborted();
      const known = cache.get(text);
      if (known) return known;
      if (phase.is !== 'ready') throw new EngineError(status().message, { retryable: true });
      try {
        const speech = await phase.thread.call('speak', { text, urgency }, signal);
        failuresInARow = 0;
        cache.set(text, speech);
        return speech;
      } catch (error) {
        signal?.throwIfAborted();
        throw new EngineError('The voice stopped while it spoke; try again in a moment.', {
          retryable: true,
          cause: error,
        });
      }
    },
    async close() {
      closing.abort(new EngineError('The server is closing.', { retryable: true }));
      await running;
    },
  };
}

const loadingStatus: EngineStatus = {
  state: 'loading',
  message: 'The voice is being loaded; text works meanwhile.',
};
