import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { BundleName } from '#server/engines/weights/contract';
import { EngineError } from '#server/lib/engine-error';
import type { EngineStatus } from '#shared/status';

/** Source of an engine's weights: `Weights`, or a folder that exists already. */
interface WeightsSource<B extends string> {
  status(bundle: B): EngineStatus;
  /** @returns the absolute path of the bundle's folder */
  ensure(bundle: B, signal?: AbortSignal): Promise<string>;
}

export interface KeptThreadOptions<T extends { finish(): Promise<void> }, B extends string = BundleName> {
  weights: WeightsSource<B>;
  bundle: B;
  /** Starts the thread; `onExit` is called when it has stopped, for whatever reason. */
  start: (onExit: (error: Error | null) => void) => T;
  /** Prepares a started thread; `dir` is the bundle's folder. The message of an EngineError is shown. */
  load: (thread: T, dir: string) => Promise<unknown>;
  sentences: ThreadSentences;
  logger?: Pick<Logger, 'info' | 'warn'> | undefined;
  /** Delays in milliseconds before restarts; the last one repeats. */
  restartDelaysMs?: readonly number[] | undefined;
}

/** Status sentences for people. */
interface ThreadSentences {
  loading: string;
  ready: string;
  /** It stopped by itself and is restarting. */
  restarting: string;
  /** Loading failed without an EngineError, and is tried again. */
  loadFailed: string;
  off: string;
}

/** An engine's thread that is kept running. */
export interface KeptThread<T> {
  status(): EngineStatus;
  /** @throws EngineError with the sentence of the status while there is no ready thread */
  current(): T;
  /**
   * Waits for a ready thread.
   * @throws EngineError when there will be none; the signal's reason
   */
  whenReady(signal?: AbortSignal): Promise<T>;
  /** Reports success: the next crash counts as the first one. */
  worked(): void;
  close(): Promise<void>;
}

const stoppedEarly = (cause: unknown) =>
  Promise.reject(new Error('The thread stopped while it was loaded.', { cause }));

const RESTART_DELAYS_MS = [500, 2_000, 10_000, 30_000];

type Phase<T> =
  | { is: 'waiting-for-weights' }
  | { is: 'loading' }
  | { is: 'ready'; thread: T }
  | { is: 'failed'; message: string; forGood: boolean };

/**
 * Starts the thread of an engine and keeps it running until it is closed: waits for its weights, loads, and
 * restarts with back-off when it stops or hangs. Threads always finish and are never terminated: terminating
 * native code would end the process.
 */
export function keepThread<T extends { finish(): Promise<void> }, B extends string = BundleName>(
  options: KeptThreadOptions<T, B>,
): KeptThread<T> {
  const { weights, bundle, sentences, logger } = options;
  const delays = options.restartDelaysMs ?? RESTART_DELAYS_MS;
  const closing = new AbortController();
  const waiting = new Set<() => void>();
  let phase: Phase<T> = { is: 'waiting-for-weights' };
  let failuresInARow = 0;

  function enter(next: Phase<T>): void {
    phase = next;
    if (next.is === 'ready' || (next.is === 'failed' && next.forGood)) for (const wake of waiting) wake();
  }

  async function keepRunning(): Promise<void> {
    for (;;) {
      enter({ is: 'waiting-for-weights' });
      const dir = await weights.ensure(bundle, closing.signal);
      closing.signal.throwIfAborted();
      enter({ is: 'loading' });
      const stopped = await runOnce(dir);
      closing.signal.throwIfAborted();
      enter({ is: 'failed', message: stopped.message, forGood: !stopped.retryable });
      if (!stopped.retryable) return logger?.warn({ bundle }, 'An engine cannot run here');
      logger?.warn(
        { err: stopped.cause, bundle, failuresInARow },
        'The thread of an engine stopped and is started again',
      );
      await delay(delays[Math.min(failuresInARow++, delays.length - 1)], undefined, {
        signal: closing.signal,
      });
    }
  }

  /** Runs one thread until it stops. @returns the reason, and whether a restart can help */
  async function runOnce(dir: string): Promise<{ message: string; retryable: boolean; cause: unknown }> {
    let stopped: (error: Error | null) => void = () => {};
    const exit = new Promise<Error | null>((resolve) => {
      stopped = resolve;
    });
    const thread = options.start((error) => {
      // Immediately: a caller that sees its call fail must not get the stopped thread again.
      if (phase.is === 'ready' && phase.thread === thread)
        enter({ is: 'failed', message: sentences.restarting, forGood: false });
      stopped(error);
    });
    const onClose = () => void thread.finish();
    closing.signal.addEventListener('abort', onClose, { once: true });
    try {
      await Promise.race([options.load(thread, dir), exit.then(stoppedEarly)]);
      enter({ is: 'ready', thread });
      logger?.info({ bundle }, 'An engine is ready');
      const cause = await exit;
      return { message: sentences.restarting, retryable: true, cause };
    } catch (cause) {
      if (cause instanceof Error && 'retryable' in cause)
        return { message: cause.message, retryable: cause.retryable === true, cause };
      return { message: sentences.loadFailed, retryable: true, cause };
    } finally {
      closing.signal.removeEventListener('abort', onClose);
      await thread.finish();
    }
  }

  const running = keepRunning().catch((error: unknown) => {
    const message = error instanceof EngineError && !closing.signal.aborted ? error.message : sentences.off;
    enter({ is: 'failed', message, forGood: true });
  });

  function status(): EngineStatus {
    switch (phase.is) {
      case 'waiting-for-weights': {
        const fetching = weights.status(bundle);
        return fetching.state === 'ready' ? { state: 'loading', message: sentences.loading } : fetching;
      }
      case 'loading':
        return { state: 'loading', message: sentences.loading };
      case 'ready':
        return { state: 'ready', message: sentences.ready };
      case 'failed':
        return { state: 'failed', message: phase.message };
    }
  }

  const unavailable = () =>
    new EngineError(status().message, { retryable: !(phase.is === 'failed' && phase.forGood) });

  return {
    status,
    current() {
      if (phase.is !== 'ready') throw unavailable();
      return phase.thread;
    },
    async whenReady(signal) {
      signal?.throwIfAborted();
      if (phase.is === 'ready') return phase.thread;
      if (phase.is === 'failed' && phase.forGood) throw unavailable();
      await new Promise<void>((resolve, reject) => {
        const settle = () => {
          waiting.delete(wake);
          signal?.removeEventListener('abort', onAbort);
        };
        const wake = () => {
          settle();
          resolve();
        };
        const onAbort = () => {
          settle();
          reject(signal?.reason);
        };
        waiting.add(wake);
        signal?.addEventListener('abort', onAbort, { once: true });
      });
      return this.current();
    },
    worked() {
      failuresInARow = 0;
    },
    async close() {
      closing.abort(new EngineError('The server is closing.', { retryable: true }));
      await running;
    },
  };
}
