import type { Logger } from 'pino';
import type { EmbeddingEngine } from '#server/engines/embedding/contract';
import { startWorkerThread, type WorkerThread } from '#server/worker-thread';
import type { AgentProfile } from '../contract.ts';
import type { AskedQuestion, FoundAnswer } from './ask.ts';
import { leansOnBefore, topicBefore } from './follow-up.ts';
import type { KnowledgeMethods } from './knowledge.worker.ts';

/** Indexes kept at once; the one asked longest ago goes first. */
const MAX_SHELVES = 64;
/** Characters of knowledge indexed at once: 200,000 take about 14 MB, and 6 MB more for their vectors (measured). */
const MAX_CHARACTERS = 3_000_000;
/** Units embedded per request while filling in, so that a customer's question waits for a short batch only. */
const BATCH = 8;
/** A question's vector that takes longer is not waited for, in milliseconds. */
const VECTOR_WAIT = 120;

/** A question before it has vectors. */
type Spoken = Omit<AskedQuestion, 'vector' | 'joinedVector'>;

interface Vectors {
  vector: Float32Array | null;
  joinedVector: Float32Array | null;
}

interface Shelf {
  key: string;
  /** Characters of the knowledge it indexes. */
  size: number;
  indexed: Promise<{ units: number }>;
  hasVectors: boolean;
  filling: Promise<void> | null;
  stop: AbortController;
}

/** The agents' knowledge, indexed once per revision in a worker thread; vectors follow as soon as the embedding engine can. */
export interface Library {
  /** Resolves when the agent's knowledge can be asked; vectors may still be filling in. */
  prepare(agent: AgentProfile): Promise<void>;
  /** Resolves when the vectors are there as well, or cannot be had. */
  complete(agent: AgentProfile): Promise<void>;
  ask(agent: AgentProfile, questions: readonly Spoken[], signal: AbortSignal): Promise<FoundAnswer[]>;
  /** Drops one revision's index. */
  forget(agent: Pick<AgentProfile, 'id' | 'revision'>): void;
  close(): Promise<void>;
}

const keyOf = (agent: Pick<AgentProfile, 'id' | 'revision'>) => `${agent.id}@${agent.revision}`;

export function openLibrary(
  embedding: EmbeddingEngine | null,
  logger?: Pick<Logger, 'warn'>,
  maxCharacters = MAX_CHARACTERS,
): Library {
  const shelves = new Map<string, Shelf>();
  let worker: WorkerThread<KnowledgeMethods> | null = null;

  const thread = () => {
    worker ??= startWorkerThread<KnowledgeMethods>(import.meta.url, './knowledge.worker', {
      // What it had indexed is gone with it; the next question starts another.
      onExit: () => {
        worker = null;
        for (const shelf of shelves.values()) shelf.stop.abort();
        shelves.clear();
      },
    });
    return worker;
  };

  const shelfOf = (agent: AgentProfile): Shelf => {
    const key = keyOf(agent);
    const known = shelves.get(key);
    if (known) {
      shelves.delete(key);
      shelves.set(key, known);
      return known;
    }
    const shelf: Shelf = {
      key,
      size: agent.prompts.reduce((sum, prompt) => sum + prompt.length, agent.companyInfo.length),
      indexed: thread().call('index', { key, information: agent.companyInfo, prompts: [...agent.prompts] }),
      hasVectors: false,
      filling: null,
      stop: new AbortController(),
    };
    shelf.indexed.catch(() => shelves.delete(key));
    shelves.set(key, shelf);
    let characters = [...shelves.values()].reduce((sum, { size }) => sum + size, 0);
    for (const old of shelves.values()) {
      if (old === shelf || (shelves.size <= MAX_SHELVES && characters <= maxCharacters)) break;
      characters -= old.size;
      drop(old);
    }
    return shelf;
  };

  const drop = (shelf: Shelf) => {
    shelves.delete(shelf.key);
    shelf.stop.abort();
    // Behind an indexing that is still going on, or it would put back what was dropped.
    shelf.indexed
      .then(() => (shelves.has(shelf.key) ? undefined : worker?.call('drop', { key: shelf.key })))
      .catch(() => {});
  };

  /** Embeds all units in small batches. Without vectors answers rest on words alone, so a failure here is none for the customer. */
  const fill = async (shelf: Shelf) => {
    const { units } = await shelf.indexed;
    if (!embedding || units === 0) return;
    const { dimensions } = embedding;
    for (let from = 0; from < units; from += BATCH) {
      const texts = await thread().call('texts', { key: shelf.key, from, count: BATCH }, shelf.stop.signal);
      const made = await embedding.embed(texts, shelf.stop.signal);
      const vectors = new Float32Array(made.length * dimensions);
      made.forEach((vector, n) => {
        vectors.set(vector, n * dimensions);
      });
      // Batch by batch: all at once would hold the main thread while megabytes are copied.
      await thread().call('vectors', { key: shelf.key, from, vectors, dimensions }, shelf.stop.signal);
    }
    shelf.hasVectors = true;
  };

  const startFilling = (shelf: Shelf): Promise<void> => {
    if (shelf.hasVectors || !embedding || embedding.status().state !== 'ready')
      return shelf.filling ?? Promise.resolve();
    shelf.filling ??= fill(shelf)
      .catch((error: unknown) => {
        // Given up on purpose when the index is dropped or the dialogue closes.
        if (!shelf.stop.signal.aborted)
          logger?.warn({ err: error }, 'Sentence vectors of an agent could not be made');
      })
      .finally(() => {
        shelf.filling = null;
      });
    return shelf.filling;
  };

  const vectorsFor = async (
    shelf: Shelf,
    questions: readonly Spoken[],
    signal: AbortSignal,
  ): Promise<Vectors[]> => {
    const none = questions.map(() => ({ vector: null, joinedVector: null }));
    if (!shelf.hasVectors || !embedding) return none;
    const texts: string[] = [];
    const places = questions.map((question) => {
      const before = leansOnBefore(question.text) ? topicBefore(question.earlier) : null;
      const own = texts.push(question.text.slice(0, 400)) - 1;
      const joined = before === null ? own : texts.push(`${before} ${question.text}`.slice(0, 400)) - 1;
      return { own, joined };
    });
    const wait = AbortSignal.any([signal, AbortSignal.timeout(VECTOR_WAIT)]);
    try {
      const vectors = await embedding.embed(texts, wait);
      return places.map(({ own, joined }) => ({
        vector: vectors[own] ?? null,
        joinedVector: vectors[joined] ?? null,
      }));
    } catch {
      signal.throwIfAborted();
      return none;
    }
  };

  /** Null when the index is gone meanwhile. */
  const askOnce = async (agent: AgentProfile, questions: readonly Spoken[], signal: AbortSignal) => {
    const shelf = shelfOf(agent);
    await shelf.indexed;
    void startFilling(shelf);
    const vectors = await vectorsFor(shelf, questions, signal);
    return thread().call(
      'ask',
      {
        key: shelf.key,
        questions: questions.map((question, n) => ({
          vector: null,
          joinedVector: null,
          ...question,
          ...vectors[n],
        })),
      },
      signal,
    );
  };

  return {
    async prepare(agent) {
      const shelf = shelfOf(agent);
      await shelf.indexed;
      void startFilling(shelf);
    },
    async complete(agent) {
      const shelf = shelfOf(agent);
      await shelf.indexed;
      await startFilling(shelf);
    },
    async ask(agent, questions, signal) {
      // An index that made room for others while the question was on its way is made again.
      const answers = (await askOnce(agent, questions, signal)) ?? (await askOnce(agent, questions, signal));
      if (!answers) throw new Error('The index of an agent is gone.');
      return answers;
    },
    forget(agent) {
      const shelf = shelves.get(keyOf(agent));
      if (shelf) drop(shelf);
    },
    async close() {
      for (const shelf of shelves.values()) shelf.stop.abort();
      shelves.clear();
      const stopping = worker;
      worker = null;
      await stopping?.terminate();
    },
  };
}
