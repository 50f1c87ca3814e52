import { EngineError } from '#server/engines/engine-error';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { ClassifierMethods } from './classifier.worker.ts';
import type { MessageSentiment, SentimentEngine } from './contract.ts';

/** Texts per run: a few milliseconds, after which whoever came meanwhile is served. */
const BATCH = 64;

/** The embedded classifier in a worker thread of its own. A thread that ended is started again by the next request. */
export function createSentimentClassifier(): SentimentEngine {
  let thread: WorkerThread<ClassifierMethods> | null = null;
  let state: EngineStatus['state'] = 'loading';
  let closed = false;

  const start = (): WorkerThread<ClassifierMethods> => {
    const started = startWorkerThread<ClassifierMethods>(import.meta.url, './classifier.worker', {
      onExit: () => {
        if (thread === started) thread = null;
        if (!closed) state = 'failed';
      },
    });
    return started;
  };

  const run = async (texts: readonly string[], signal: AbortSignal | undefined) => {
    if (closed) throw new EngineError('The sentiment analysis is closing.', { retryable: false });
    thread ??= start();
    try {
      const labels = await thread.call('analyse', { texts }, signal);
      state = 'ready';
      return labels;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new EngineError('The sentiment analysis failed.', { retryable: true, cause: error });
    }
  };

  // The first message finds it ready; should that fail, its status says so and the next request tries again.
  void run([], undefined).catch(() => {});

  return {
    name: 'Embedded sentiment classifier',
    status: () => ({ state, message: sentenceOf(state) }),
    async analyse(texts, signal) {
      signal?.throwIfAborted();
      const labels: MessageSentiment[] = [];
      for (let from = 0; from < texts.length; from += BATCH)
        labels.push(...(await run(texts.slice(from, from + BATCH), signal)));
      return labels;
    },
    async close() {
      closed = true;
      await thread?.terminate();
    },
  };
}

function sentenceOf(state: EngineStatus['state']): string {
  if (state === 'ready') return 'The sentiment analysis is ready.';
  return state === 'failed' ? 'The sentiment analysis stopped.' : 'The sentiment analysis is loading.';
}
