import { EngineError } from '#server/engines/engine-error';
import type { Weights } from '#server/engines/weights/contract';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { EmbeddingEngine } from './contract.ts';
import type { EncoderMethods } from './universal-sentence-encoder.worker.ts';

const DIMENSIONS = 512;
/** Texts per run; between runs a shorter request goes first. */
const BATCH = 8;

interface Request {
  texts: readonly string[];
  done: Float32Array[];
  signal: AbortSignal | undefined;
  resolve: (vectors: Float32Array[]) => void;
  reject: (error: unknown) => void;
}

/**
 * Universal Sentence Encoder lite (Cer et al. 2018, Apache-2.0) in a worker thread, one run at a time.
 * A request with fewer texts left overtakes a longer one between runs, so a customer's question never waits for an index.
 */
export function createUniversalSentenceEncoder(weights: Pick<Weights, 'ensure' | 'status'>): EmbeddingEngine {
  const closing = new AbortController();
  const waiting: Request[] = [];
  let worker: WorkerThread<EncoderMethods> | null = null;
  let state: 'fetching' | 'loading' | 'ready' | 'failed' = 'fetching';
  let running = false;

  const start = async () => {
    const folder = await weights.ensure('embedding', closing.signal);
    state = 'loading';
    const thread = startWorkerThread<EncoderMethods>(import.meta.url, './universal-sentence-encoder.worker', {
      onExit: () => {
        worker = null;
        if (!closing.signal.aborted) state = 'failed';
      },
    });
    try {
      await thread.call('load', { folder }, closing.signal);
    } catch (error) {
      await thread.terminate();
      throw error;
    }
    worker = thread;
    state = 'ready';
    void run();
  };
  const started = start().catch(() => {
    state = 'failed';
    refuseAll();
  });

  const unavailable = () =>
    new EngineError('The search by meaning is not ready.', {
      retryable: state === 'fetching' || state === 'loading',
    });
  const refuseAll = () => {
    for (const request of waiting.splice(0)) request.reject(unavailable());
  };

  const run = async () => {
    if (running) return;
    running = true;
    for (;;) {
      const next = waiting.reduce<Request | null>(
        (least, request) => (least === null || left(request) < left(least) ? request : least),
        null,
      );
      if (!next) break;
      try {
        if (!worker) throw unavailable();
        const texts = next.texts.slice(next.done.length, next.done.length + BATCH);
        if (texts.length > 0) {
          const joined = await worker.call('embed', { texts });
          for (let n = 0; n < texts.length; n++)
            next.done.push(joined.slice(n * DIMENSIONS, (n + 1) * DIMENSIONS));
        }
        if (left(next) > 0) continue;
        forget(next);
        next.resolve(next.done);
      } catch (error) {
        forget(next);
        next.reject(
          error instanceof EngineError
            ? error
            : new EngineError('The search by meaning failed.', { retryable: true, cause: error }),
        );
      }
    }
    running = false;
  };
  const left = (request: Request) => request.texts.length - request.done.length;
  const forget = (request: Request) => {
    const at = waiting.indexOf(request);
    if (at >= 0) waiting.splice(at, 1);
  };

  return {
    name: 'Universal Sentence Encoder lite',
    dimensions: DIMENSIONS,
    status(): EngineStatus {
      if (state === 'fetching') return weights.status('embedding');
      if (state === 'loading') return { state, message: 'The search by meaning is loading.' };
      if (state === 'ready') return { state, message: 'The search by meaning is ready.' };
      const fetching = weights.status('embedding');
      return fetching.state === 'failed'
        ? fetching
        : { state, message: 'The search by meaning stopped; answers are found by their words alone.' };
    },
    embed(texts, signal) {
      return new Promise((resolve, reject) => {
        if (signal?.aborted) return reject(signal.reason);
        if (closing.signal.aborted || state === 'failed') return reject(unavailable());
        const request: Request = {
          texts,
          done: [],
          signal,
          resolve: (vectors) => {
            signal?.removeEventListener('abort', onAbort);
            resolve(vectors);
          },
          reject: (error) => {
            signal?.removeEventListener('abort', onAbort);
            reject(error);
          },
        };
        const onAbort = () => {
          forget(request);
          reject(signal?.reason);
        };
        signal?.addEventListener('abort', onAbort, { once: true });
        waiting.push(request);
        if (state === 'ready') void run();
      });
    },
    async close() {
      closing.abort(new EngineError('The search by meaning is closing.', { retryable: false }));
      await started;
      refuseAll();
      await worker?.terminate();
    },
  };
}
