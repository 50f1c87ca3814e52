import type { ReadingEngine } from '#server/engines/reading/contract';

/** Vectors of statements kept: 6 MB. */
const MAX_VECTORS = 2_000;

/**
 * Reads for turns, the one that began first before the others. Within a turn no pair is read twice, and what passages
 * say keeps its vectors from one turn to the next.
 * @returns the engine for a turn that begins now
 */
export function readForTurns(engine: ReadingEngine, maxVectors = MAX_VECTORS): () => ReadingEngine {
  let turns = 0;
  /** Of texts as passages, the least recently used first. */
  const vectors = new Map<string, Float32Array>();

  const keep = (text: string, vector: Float32Array) => {
    vectors.delete(text);
    vectors.set(text, vector);
    for (const oldest of vectors.keys()) {
      if (vectors.size <= maxVectors) return;
      vectors.delete(oldest);
    }
  };

  return () => {
    const turn = ++turns;
    /** Logits by question and text. */
    const logits = new Map<string, number>();
    return {
      name: engine.name,
      revision: engine.revision,
      dimensions: engine.dimensions,
      status: () => engine.status(),
      embed: (texts, options) =>
        options?.as === 'question'
          ? engine.embed(texts, { ...options, turn })
          : onlyNew(
              texts,
              (text) => vectors.get(text),
              (missing) => engine.embed(missing, { ...options, turn }),
              keep,
            ),
      relevance: (question, texts, options) =>
        onlyNew(
          texts,
          (text) => logits.get(`${question}\0${text}`),
          (missing) => engine.relevance(question, missing, { ...options, turn }),
          (text, logit) => logits.set(`${question}\0${text}`, logit),
        ),
      close: () => engine.close(),
    };
  };
}

/** Asks for those texts alone that are not known, and keeps what is answered. */
async function onlyNew<T>(
  texts: readonly string[],
  known: (text: string) => T | undefined,
  ask: (missing: string[]) => Promise<T[]>,
  keep: (text: string, answer: T) => void,
): Promise<T[]> {
  const missing = [...new Set(texts.filter((text) => known(text) === undefined))];
  const answers = new Map(
    texts.flatMap((text): [string, T][] => {
      const answer = known(text);
      return answer === undefined ? [] : [[text, answer]];
    }),
  );
  for (const [n, answer] of (missing.length > 0 ? await ask(missing) : []).entries())
    answers.set(missing[n] ?? '', answer);
  for (const [text, answer] of answers) keep(text, answer);
  return texts.flatMap((text) => answers.get(text) ?? []);
}
