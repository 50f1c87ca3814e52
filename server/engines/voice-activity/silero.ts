import type { Logger } from 'pino';
import { keepThread } from '#server/engines/kept-thread';
import type { BundleName, Weights } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import { startNativeThread } from '#server/threads/native-process';
import type { WorkerThread } from '#server/threads/worker-thread';
import type { VoiceActivityEngine, VoiceDetector } from './contract.ts';
import type { SileroMethods } from './silero.worker.ts';

export interface SileroOptions {
  weights: Pick<Weights, 'ensure' | 'status'>;
  /** The bundle that contains the model. */
  bundle: BundleName;
  logger?: Pick<Logger, 'info' | 'warn'>;
  /** Probability from which a frame is speech, 0 to 1. */
  threshold?: number;
  restartDelaysMs?: readonly number[];
  startThread?: (onExit: (error: Error | null) => void) => WorkerThread<SileroMethods>;
}

const THRESHOLD = 0.5;
/** Most queued sound of a stream, in samples: 30 s. A sender with more has stopped waiting for answers. */
const MAX_WAITING = 30 * 16_000;

/** Ten thousand times what frames take. */
const HANG_MS = 15_000;

const startSileroThread: NonNullable<SileroOptions['startThread']> = (onExit) =>
  startNativeThread<SileroMethods>(import.meta.url, './silero.worker', { onExit, hangMs: HANG_MS });

/**
 * The embedded voice activity detection: Silero in one thread for all streams. A stream survives a crash of
 * the thread: calls under way reject with a retryable EngineError, later ones start afresh.
 */
export function createSilero(options: SileroOptions): VoiceActivityEngine {
  const threshold = options.threshold ?? THRESHOLD;
  const kept = keepThread({
    weights: options.weights,
    bundle: options.bundle,
    start: options.startThread ?? startSileroThread,
    load: (thread, dir) => thread.call('load', { dir, threshold }),
    sentences: {
      loading: 'The ears are being loaded; typing works meanwhile.',
      ready: 'The ears are ready.',
      restarting: 'The ears stopped and are starting again; typing works meanwhile.',
      loadFailed: 'The ears stopped while they were loaded and are tried again; typing works meanwhile.',
      off: 'The ears are switched off.',
    },
    logger: options.logger,
    restartDelaysMs: options.restartDelaysMs,
  });
  let lastStream = 0;

  function open(): VoiceDetector {
    const stream = ++lastStream;
    const closed = new AbortController();
    let waiting = 0;
    let before: Promise<unknown> = Promise.resolve();

    async function listen(samples: Float32Array): Promise<boolean[]> {
      const thread = await kept.whenReady(closed.signal);
      try {
        const frames = await thread.call('accept', { stream, samples }, closed.signal);
        kept.worked();
        return frames;
      } catch (error) {
        closed.signal.throwIfAborted();
        if (error instanceof Error && 'retryable' in error && error.retryable === true)
          throw new EngineError(error.message, { retryable: true });
        throw new EngineError('The ears stopped while they listened; try again in a moment.', {
          retryable: true,
          cause: error,
        });
      }
    }

    const close = (reason: EngineError) => {
      if (closed.signal.aborted) return;
      closed.abort(reason);
      try {
        kept
          .current()
          .call('close', { stream })
          .catch(() => {});
      } catch {
        // Without a thread there is nothing to free.
      }
    };

    return {
      async accept(samples) {
        closed.signal.throwIfAborted();
        if (waiting + samples.length > MAX_WAITING) {
          const tooMuch = new EngineError('The ears cannot keep up with this call.', { retryable: false });
          close(tooMuch);
          throw tooMuch;
        }
        const own = samples.slice();
        waiting += own.length;
        const frames = before.then(() => listen(own));
        before = frames.catch(() => {});
        try {
          return await frames;
        } finally {
          waiting -= own.length;
        }
      },
      close: () => close(new EngineError('This stream is closed.', { retryable: false })),
    };
  }

  return { name: 'Silero', status: () => kept.status(), open, close: () => kept.close() };
}
