import type { ReadingEngine } from '#server/engines/reading/contract';

/** Vectors of statements kept: 6 MB. */
const MAX_VECTORS = 2_000;

/** Turns of others that go before one more of an account that is being answered already. */
const OTHERS_FIRST = 8;

/** The reading of one turn. */
export interface TurnReading {
  engine: ReadingEngine;
  /** Once it is answered, or given up. */
  end(): void;
}

/**
 * Reads for turns, the one that began first before the others; but of an account whose turns are many at once, each stands
 * behind a few of the others, so that nobody waits for all of them. Within a turn no question and no pair is read twice, and what passages
 * say keeps its vectors from one turn to the next.
 * @param urgency `index`: nobody waits for these turns on the line, and all others go before them
 * @returns begins a turn of an account
 */
export function readForTurns(
  engine: ReadingEngine,
  maxVectors = MAX_VECTORS,
  urgency: 'turn' | 'index' = 'turn',
): (account: string) => TurnReading {
  let begun = 0;
  /** Turns that are being answered, by account. */
  const running = new Map<string, number>();
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

  return (account) => {
    const others = running.get(account) ?? 0;
    running.set(account, others + 1);
    const turn = ++begun + others * OTHERS_FIRST;
    const place = { turn, urgency };
    let isOver = false;
    /** Of questions. */
    const asked = new Map<string, Float32Array>();
    /** Logits by question and text. */
    const logits = new Map<string, number>();
    const forTurn: ReadingEngine = {
      name: engine.name,
      revision: engine.revision,
      dimensions: engine.dimensions,
      status: () => engine.status(),
      embed: (texts, options) =>
        options?.as === 'question'
          ? onlyNew(
              texts,
              (text) => asked.get(text),
              (missing) => engine.embed(missing, { ...options, ...place }),
              (text, vector) => asked.set(text, vector),
            )
          : onlyNew(
              texts,
              (text) => vectors.get(text),
              (missing) => engine.embed(missing, { ...options, ...place }),
              keep,
            ),
      relevance: (question, texts, options) =>
        onlyNew(
          texts,
          (text) => logits.get(`${question}\0${text}`),
          (missing) => engine.relevance(question, missing, { ...options, ...place }),
          (text, logit) => logits.set(`${question}\0${text}`, logit),
        ),
      close: () => engine.close(),
    };
    return {
      engine: forTurn,
      end() {
        if (isOver) return;
        isOver = true;
        const left = (running.get(account) ?? 1) - 1;
        if (left > 0) running.set(account, left);
        else running.delete(account);
      },
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
