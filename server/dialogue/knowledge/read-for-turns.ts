import type { ReadingEngine } from '#server/engines/reading/contract';
import { EngineError } from '#server/lib/engine-error';
import { WaitingLine } from '#server/lib/waiting-line';

/** Vectors of statements kept: 6 MB. */
const MAX_VECTORS = 2_000;

/** Turns of others that go before one more of an account that is being answered already. */
const OTHERS_FIRST = 8;

/** Who would be answered later than this, in milliseconds, for what a closer look shows, is answered by what a glance shows. */
const GLANCE_AFTER_MS = 1_000;
/** What takes a turn's closer look, in milliseconds a text, until one was read. */
const GUESSED_PACE_MS = 25;
/** A turn that looks closer asks again and again: of what it will have read, so much more than now stands in line. */
const STILL_TO_COME = 3;

/** The reading of one turn. */
export interface TurnReading {
  engine: ReadingEngine;
  /** Once it is answered, or given up. */
  end(): void;
}

/**
 * Reads for turns, the one that began first before the others; but of an account whose turns are many at once, each stands
 * behind a few of the others, so that nobody waits for all of them. Within a turn no question and no pair is read twice, and what passages
 * say keeps its vectors from one turn to the next. While many ask at once, questions are read and hardly anything else: a closer
 * look that others stand before for too long is refused, with an EngineError.
 * @param urgency `index`: nobody waits for these turns on the line, all others go before them, and none is refused
 * @returns begins a turn of an account; of a patient one nothing is refused
 */
export function readForTurns(
  engine: ReadingEngine,
  {
    maxVectors = MAX_VECTORS,
    urgency = 'turn',
    now,
  }: { maxVectors?: number; urgency?: 'turn' | 'index'; now?: () => number } = {},
): (account: string, isPatient?: boolean) => TurnReading {
  const clock = now ?? (() => performance.now());
  /** Turns that look closer. */
  const line = new WaitingLine(clock, GUESSED_PACE_MS);
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

  return (account, isPatient = urgency === 'index') => {
    const others = running.get(account) ?? 0;
    running.set(account, others + 1);
    const turn = ++begun + others * OTHERS_FIRST;
    const place = { turn, urgency };
    const beganAt = clock();
    let isOver = false;
    /** Texts of this turn that stand in line. */
    let own = 0;
    const closely = async <T>(
      texts: readonly string[],
      ask: () => Promise<T>,
      waitedMs = clock() - beganAt,
    ): Promise<T> => {
      if (isPatient) return ask();
      const othersMs = line.waitMsBeside(own) * STILL_TO_COME;
      if (othersMs > 0 && waitedMs + othersMs > GLANCE_AFTER_MS)
        throw new EngineError('Others are waiting for what is read.', { retryable: true });
      own += texts.length;
      try {
        return await line.during(ask, texts.length);
      } finally {
        own -= texts.length;
      }
    };
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
              (missing) => closely(missing, () => engine.embed(missing, { ...options, ...place })),
              keep,
            ),
      relevance: (question, texts, options) =>
        onlyNew(
          texts,
          (text) => logits.get(`${question}\0${text}`),
          (missing) => closely(missing, () => engine.relevance(question, missing, { ...options, ...place })),
          (text, logit) => logits.set(`${question}\0${text}`, logit),
        ),
      // However long its model thought: a sentence is looked at while the next one is written.
      entailment: (sentence, text, options) =>
        closely([text], () => engine.entailment(sentence, text, { ...options, ...place }), 0),
      prepareEntailment: () => engine.prepareEntailment(),
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
