import type { Metrics, WorkingEngine } from '#server/telemetry/metrics';
import { timed } from '#server/telemetry/timeline';
import type { LanguageEngine } from './language/contract.ts';
import { Lately } from './lately.ts';
import type { ReadingEngine } from './reading/contract.ts';
import type { RecognitionEngine } from './recognition/contract.ts';
import type { SynthesisEngine } from './synthesis/contract.ts';

/*
 * Wraps engines to count and time their work, without changes to the engine. The wrapper includes the time in
 * an engine's queue, as the caller experiences it.
 */

/** Times whole utterances only: partial transcripts may be delayed. */
export const observedRecognition = (
  engine: RecognitionEngine,
  metrics: Metrics,
  lately = new Lately(),
): RecognitionEngine => ({
  name: engine.name,
  status: () => engine.status(),
  async recognize(request) {
    const begin = performance.now();
    const isWhole = request.urgency === 'final';
    try {
      const words = await observed(metrics, 'recognition', request.signal, () => engine.recognize(request));
      if (isWhole) lately.answered(performance.now() - begin);
      return words;
    } catch (error) {
      if (isWhole && !request.signal?.aborted) lately.failed(error);
      throw error;
    }
  },
  close: () => engine.close(),
});

export const observedReading = (engine: ReadingEngine, metrics: Metrics): ReadingEngine => ({
  name: engine.name,
  revision: engine.revision,
  dimensions: engine.dimensions,
  status: () => engine.status(),
  embed: (texts, options) =>
    observed(metrics, 'reading', options?.signal, () => engine.embed(texts, options)),
  relevance: (question, texts, options) =>
    observed(metrics, 'reading', options?.signal, () => engine.relevance(question, texts, options)),
  entailment: (sentence, text, options) =>
    observed(metrics, 'reading', options?.signal, () => engine.entailment(sentence, text, options)),
  prepareEntailment: () => engine.prepareEntailment(),
  close: () => engine.close(),
});

/** A quicker result came from a cache and says nothing about the engine's speed. */
const REMEMBERED_MS = 1;

/** Times each phrase. */
export const observedSynthesis = (
  engine: SynthesisEngine,
  metrics: Metrics,
  lately = new Lately(),
): SynthesisEngine => ({
  name: engine.name,
  status: () => engine.status(),
  async *synthesize(request) {
    let begin: number | null = performance.now();
    const phrases = each(engine.synthesize(request), (next) =>
      observed(metrics, 'synthesis', request.signal, next),
    );
    try {
      for await (const phrase of phrases) {
        const ms = begin === null ? 0 : performance.now() - begin;
        if (ms >= REMEMBERED_MS) lately.answered(ms);
        begin = null;
        yield phrase;
      }
    } catch (error) {
      if (!request.signal?.aborted) lately.failed(error);
      throw error;
    }
  },
  close: () => engine.close(),
});

/** Times the answer from its beginning to its last word. */
export const observedLanguage = (
  engine: LanguageEngine,
  metrics: Metrics,
  lately = new Lately(),
): LanguageEngine => ({
  name: engine.name,
  checking: engine.checking,
  habits: engine.habits,
  ...(engine.here ? { here: engine.here } : {}),
  async *stream(request) {
    const ended = metrics.asked('language model');
    let begin: number | null = performance.now();
    let how: Parameters<typeof ended>[0] = 'called off';
    try {
      for await (const event of each(engine.stream(request), (next) => timed('language model', next))) {
        if (begin !== null) lately.answered(performance.now() - begin);
        begin = null;
        if (event.type === 'end') {
          how = 'done';
          metrics.tokens('read', event.usage.input ?? 0);
          metrics.tokens('written', event.usage.output ?? 0);
        }
        yield event;
      }
    } catch (error) {
      if (!request.signal.aborted) {
        how = 'failed';
        lately.failed(error);
      }
      throw error;
    } finally {
      ended(how);
    }
  },
});

async function observed<T>(
  metrics: Metrics,
  engine: WorkingEngine,
  signal: AbortSignal | undefined,
  work: () => Promise<T>,
): Promise<T> {
  const ended = metrics.asked(engine);
  try {
    const done = await timed(engine, work);
    ended('done');
    return done;
  } catch (error) {
    ended(signal?.aborted ? 'called off' : 'failed');
    throw error;
  }
}

/** Passes each item of the iteration through `through`. */
async function* each<T>(
  items: AsyncIterable<T>,
  through: (next: () => Promise<IteratorResult<T>>) => Promise<IteratorResult<T>>,
): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  try {
    for (;;) {
      const step = await through(() => iterator.next());
      if (step.done) return;
      yield step.value;
    }
  } finally {
    await iterator.return?.();
  }
}
