import type { ReadingEngine } from '#server/engines/reading/contract';
import { decideDanger, seeDanger } from '#server/languages/danger';
import { EngineError } from '#server/lib/engine-error';
import { timeLimit } from '#server/lib/wait';
import { askedTwice, startWorkerThread, type WorkerThread } from '#server/threads/worker-thread';
import type { EngineStatus } from '#shared/status';
import type { ClassifierMethods } from './classifier.worker.ts';
import type { MessageSentiment, SentimentEngine } from './contract.ts';

/** Texts per run: a few milliseconds by words, after which newer requests are served. */
const BATCH = 64;
/** A run takes a thousandth of it. */
const HANG_MS = 10_000;
/** How long a run waits for its texts' vectors; after that words alone decide. */
const READING_MS = 5_000;

/**
 * In long lists, only messages whose words give at least this probability of urgency are checked for danger;
 * in short lists, all are.
 */
const MAYBE_URGENT = 0.002;
const FEW = 8;
/** Danger in the dialogue is `urgent` for managers. */
const DANGER: MessageSentiment = { label: 'urgent', score: 1 };

export interface ClassifierOptions {
  /**
   * Makes vectors of texts whose words are inconclusive. Without it, or while it is not ready, words alone
   * decide.
   */
  reading?: Pick<ReadingEngine, 'embed' | 'revision' | 'status'> | undefined;
  /** Delays the thread's early start until it resolves. */
  begin?: Promise<void>;
  /** Milliseconds; default 5 s for up to 64 texts. */
  readingMs?: number;
}

/**
 * The embedded classifier in a worker thread of its own. A thread that ended or hangs is restarted by the
 * next request.
 */
export function createSentimentClassifier(options: ClassifierOptions = {}): SentimentEngine {
  const { reading, readingMs = READING_MS, begin = Promise.resolve() } = options;
  let thread: WorkerThread<ClassifierMethods> | null = null;
  let state: EngineStatus['state'] = 'loading';
  let closed = false;

  const start = (): WorkerThread<ClassifierMethods> => {
    const started = startWorkerThread<ClassifierMethods>(import.meta.url, './classifier.worker', {
      hangMs: HANG_MS,
      onExit: () => {
        if (thread === started) thread = null;
        if (!closed) state = 'failed';
      },
    });
    return started;
  };

  async function ask<A>(
    call: (thread: WorkerThread<ClassifierMethods>) => Promise<A>,
    signal: AbortSignal | undefined,
  ): Promise<A> {
    if (closed) throw new EngineError('The sentiment analysis is closing.', { retryable: false });
    try {
      const answer = await askedTwice(() => {
        thread ??= start();
        return call(thread);
      });
      state = 'ready';
      return answer;
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      throw new EngineError('The sentiment analysis failed.', { retryable: true, cause: error });
    }
  }

  async function run(texts: readonly string[], signal: AbortSignal | undefined): Promise<MessageSentiment[]> {
    const revision = reading?.status().state === 'ready' ? reading.revision : null;
    const found = await ask((one) => one.call('first', { texts, revision }, signal), signal);
    const isSpared = (urgency: number | null) =>
      urgency === null || (texts.length > FEW && urgency < MAYBE_URGENT);
    const read = found.flatMap(({ unsure, urgency, danger }, at) =>
      revision !== null && (unsure || danger || !isSpared(urgency)) ? [at] : [],
    );
    const asked = read.map((at) => [texts[at] ?? '', ...(found[at]?.sentences ?? [])]);
    const vectors = await meaningOf(asked.flat(), signal);
    const vectorsAt = new Map(read.map((at, n) => [at, vectors.splice(0, asked[n]?.length)]));
    const known = found.flatMap(({ unsure }, at) => {
      const [vector] = vectorsAt.get(at) ?? [];
      return unsure && vector ? [{ at, sums: unsure, vector }] : [];
    });
    const better = known.length > 0 ? await ask((one) => one.call('withMeaning', known, signal), signal) : [];
    const places = new Map(known.map(({ at }, i) => [at, i]));
    return found.map(({ answer, danger }, at) => {
      const seen = (vectorsAt.get(at) ?? []).flatMap(
        (vector) => (reading && seeDanger(vector, reading.revision)) ?? [],
      );
      return decideDanger(danger, seen) ? DANGER : (better[places.get(at) ?? -1] ?? answer);
    });
  }

  /** Vectors of texts, with lower priority than turns; none if that takes too long or fails. */
  async function meaningOf(
    texts: readonly string[],
    signal: AbortSignal | undefined,
  ): Promise<Float32Array[]> {
    if (!reading || texts.length === 0) return [];
    const limit = timeLimit(readingMs);
    try {
      return await reading.embed(texts, {
        as: 'question',
        urgency: 'index',
        signal: signal ? AbortSignal.any([signal, limit]) : limit,
      });
    } catch {
      signal?.throwIfAborted();
      return [];
    }
  }

  // Start early for the first message; a failure shows in the status, and the next request tries again.
  void begin.then(() => run([], undefined)).catch(() => {});

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
  return state === 'failed'
    ? 'The sentiment analysis stopped and starts again with the next message.'
    : 'The sentiment analysis is loading.';
}
