import type { Logger } from 'pino';
import { keepThread } from '#server/engines/kept-thread';
import type { Weights } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import { startNativeThread } from '#server/threads/native-process';
import type { WorkerThread } from '#server/threads/worker-thread';
import { HEARING_SAMPLE_RATE, type RecognitionEngine } from './contract.ts';
import type { MoonshineMethods } from './moonshine.worker.ts';

export interface MoonshineOptions {
  weights: Pick<Weights, 'ensure' | 'status'>;
  logger?: Pick<Logger, 'info' | 'warn'>;
  restartDelaysMs?: readonly number[];
  startThread?: (onExit: (error: Error | null) => void) => WorkerThread<MoonshineMethods>;
}

/** The longest recording, in samples: 15 minutes, 58 MB. */
const MAX_SAMPLES = 15 * 60 * HEARING_SAMPLE_RATE;

/** A single piece of at most 14 s takes a second; longer only while other work competes. */
const HANG_MS = 20_000;

const startMoonshineThread: NonNullable<MoonshineOptions['startThread']> = (onExit) =>
  startNativeThread<MoonshineMethods>(import.meta.url, './moonshine.worker', { onExit, hangMs: HANG_MS });

/**
 * The embedded recognition: Moonshine base, English, in a thread of its own. It starts to fetch its weights
 * and to load at once; until then, and while its thread restarts after a crash, `recognize` rejects with a
 * retryable EngineError that says why. A recording of more than 15 minutes rejects with an error that is not
 * retryable.
 */
export function createMoonshine(options: MoonshineOptions): RecognitionEngine {
  const kept = keepThread({
    weights: options.weights,
    bundle: 'hearing',
    start: options.startThread ?? startMoonshineThread,
    load: (thread, dir) => thread.call('load', { dir }),
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
  let nameless = 0;

  return {
    name: 'Moonshine',
    status: () => kept.status(),
    async recognize({ samples, urgency, caller, signal }) {
      signal?.throwIfAborted();
      if (samples.length > MAX_SAMPLES)
        throw new EngineError('This recording is too long: 15 minutes can be heard at once.', {
          retryable: false,
        });
      const thread = kept.current();
      try {
        // Copy: transferring a part of a larger buffer would take all of it.
        const request = { samples: samples.slice(), urgency, caller: caller ?? `nameless ${nameless++}` };
        const words = await thread.call('recognize', request, signal);
        kept.worked();
        return words;
      } catch (error) {
        signal?.throwIfAborted();
        if (error instanceof Error && 'retryable' in error && error.retryable === true)
          throw new EngineError(error.message, { retryable: true });
        throw new EngineError('The ears stopped while they listened; try again in a moment.', {
          retryable: true,
          cause: error,
        });
      }
    },
    close: () => kept.close(),
  };
}
