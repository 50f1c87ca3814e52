import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { EngineError } from '#server/lib/engine-error';
import { serveWorkerThread, Transfer } from '#server/threads/worker-thread';
import { loadReadingModels, type ReadingModels } from './models.ts';
import { type Reader, ReadingLine } from './reading-line.ts';
import { DIMENSIONS, WEIGHTS } from './weights.ts';

export type MiniLmMethods = {
  load: (options: { dir: string }) => Promise<void>;
  /** Vectors of `DIMENSIONS` numbers, concatenated. */
  embed: (
    request: Reader & { texts: readonly string[]; as: 'question' | 'passage' },
    signal: AbortSignal,
  ) => Promise<Float32Array<ArrayBuffer> | Transfer<Float32Array<ArrayBuffer>>>;
  relevance: (
    request: Reader & { question: string; texts: readonly string[] },
    signal: AbortSignal,
  ) => Promise<number[]>;
  entailment: (request: Reader & { sentence: string; text: string }, signal: AbortSignal) => Promise<number>;
  prepareEntailment: () => Promise<void>;
};

let models: ReadingModels | null = null;
const line = new ReadingLine();

const methods: MiniLmMethods = {
  async load({ dir }) {
    for (const file of Object.values(WEIGHTS))
      if (!(await stat(join(dir, file)).catch(() => null)))
        throw new EngineError(
          `The reader cannot start: the program's file weights/reading/${file} is missing.`,
          {
            retryable: false,
          },
        );
    const loaded = await loadReadingModels(dir);
    // The first runs are slow, so warm up before a customer waits.
    await loaded.embed('Where is my order?');
    await loaded.relevance('Where is my order?', 'Orders are tracked by their number.');
    models = loaded;
  },

  async embed({ texts, urgency, turn, following, as }, signal) {
    const { embed } = ready();
    const reader = { urgency, turn, following, isQuestion: as === 'question' };
    const rows = await line.run(reader, texts, signal, (text) => embed(text, as));
    const joined = new Float32Array(rows.length * DIMENSIONS);
    rows.forEach((row, n) => {
      joined.set(row, n * DIMENSIONS);
    });
    return new Transfer(joined, [joined.buffer]);
  },

  relevance({ question, texts, urgency, turn }, signal) {
    const { relevance } = ready();
    return line.run({ urgency, turn, isQuestion: false }, texts, signal, (text) => relevance(question, text));
  },

  async entailment({ sentence, text, urgency, turn }, signal) {
    const { entailment, loadEntailment } = ready();
    // Outside the queue, so that it delays no request.
    await loadEntailment();
    const reader = { urgency, turn, isQuestion: false };
    const [logit = 0] = await line.run(reader, [text], signal, () => entailment(sentence, text));
    return logit;
  },

  prepareEntailment: () => ready().loadEntailment(),
};

function ready(): ReadingModels {
  if (!models) throw new EngineError('The reader is still loading.', { retryable: true });
  return models;
}

// The thread can finish between two texts; a run computes on this thread, so none is cut off.
serveWorkerThread(methods);
