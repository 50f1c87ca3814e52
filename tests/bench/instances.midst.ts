import { figure, percentiles, share } from './figures.ts';

/** A spoken question; times by one clock, in milliseconds. */
interface Spoken {
  /** The true end of the question. */
  endedAt: number;
  /** Null: it was given up. */
  answeredAt: number | null;
}

/** Questions that wait during an event, or end within this time after it, should be answered as soon. */
export const ANSWERED_WITHIN_MS = 5_000;

/** Reports answer times, and those of questions that waited during the event, or ended before it was over. */
export function reportSpokenWaits(
  questions: readonly Spoken[],
  { happenedAt, tookMs }: { happenedAt: number; tookMs: number },
): void {
  const until = happenedAt + Math.max(tookMs, ANSWERED_WITHIN_MS);
  const inItsMidst = questions.filter(
    ({ endedAt, answeredAt }) => (answeredAt === null || answeredAt > happenedAt) && endedAt < until,
  );
  const since = (from: (question: Spoken) => number) => (question: Spoken) =>
    question.answeredAt === null ? [] : question.answeredAt - from(question);
  const waits = inItsMidst.flatMap(since(({ endedAt }) => Math.max(happenedAt, endedAt)));
  const late = inItsMidst.length - waits.filter((ms) => ms <= ANSWERED_WITHIN_MS).length;
  figure('end of a question → its answer', percentiles(questions.flatMap(since(({ endedAt }) => endedAt))));
  figure('– in its midst, from then or its own end', `${percentiles(waits)}   (${inItsMidst.length})`);
  figure('– – later than 5 s', share(late, inItsMidst.length));
}
