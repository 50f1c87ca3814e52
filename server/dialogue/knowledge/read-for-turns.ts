import type { ReadingEngine } from '#server/engines/reading/contract';
import { EngineError } from '#server/lib/engine-error';
import { WaitingLine } from '#server/lib/waiting-line';

/** Vectors of statements kept: 6 MB. */
const MAX_VECTORS = 2_000;

/** Turns of other accounts that precede another one of an account that is being answered already. */
const OTHERS_FIRST = 8;

/** Skip the cross-encoder when it would delay the answer by more than this (ms). */
const GLANCE_AFTER_MS = 1_000;
/** Milliseconds of the cross-encoder per text, until the first measurement. */
const GUESSED_PACE_MS = 25;
/** A turn reads repeatedly: it will read so many times as much as it has queued now. */
const STILL_TO_COME = 3;

/** The reading of one turn. */
export interface TurnReading {
  engine: ReadingEngine;
  /** Call it once the turn is answered or cancelled. */
  end(): void;
}

/**
 * Reads for turns, in order of their beginning; but turns of an account with many at once are placed behind a few of
 * the others, so that nobody waits for all of them. Within a turn no question or pair is read twice, and vectors of
 * passages are kept between turns. Under load, little more than questions is read: cross-encoder work behind a long
 * queue is refused with an EngineError.
 * @param urgency `index`: no caller waits for these turns, all others precede them, and none is refused
 * @returns begins a turn of an account; a patient one is never refused
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
  /** Turns that use the cross-encoder. */
  const line = new WaitingLine(clock, GUESSED_PACE_MS);
  let begun = 0;
  /** Current turns, by account. */
  const running = new Map<string, number>();
  /** Vectors of passages, least recently used first. */
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
    /** Queued texts of this turn. */
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
    /** Vectors of questions. */
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
      // Never refused: a sentence is checked while the model writes the next one.
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

/** Requests only unknown texts, and caches the results. */
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
