import type { ReadingEngine } from '#server/engines/reading/contract';
import { untilAborted } from '#server/lib/wait';
import type { WritingHint } from '#shared/agents';
import type { AgentProfile } from '../contract.ts';
import { SURE } from '../knowledge/confidence.ts';
import { find, type Knowing } from '../knowledge/find.ts';
import type { Library } from '../knowledge/library.ts';
import type { TurnReading } from '../knowledge/read-for-turns.ts';
import { aboutOneThing } from './about-one-thing.ts';
import { MOST } from './read-draft.ts';

interface ReviewSurroundings {
  library: Library;
  /** Begins to read, behind every call; null: no encoder. */
  begin: (() => TurnReading) | null;
}

/**
 * Hints for a writer: contradictions, promises of a time, a price or a limit without a figure, and usual customer
 * questions without an answer.
 * @throws EngineError if reading failed, or the signal's reason
 */
export async function* review(
  { library, begin }: ReviewSurroundings,
  agent: AgentProfile,
  signal: AbortSignal,
): AsyncGenerator<WritingHint> {
  const { withoutNumber, contradictions, usualQuestions } = await untilAborted(
    library.readDraft(agent),
    signal,
  );
  yield* withoutNumber;
  if (!begin) return;
  const comparing = (reading: ReadingEngine) => aboutOneThing(contradictions, reading, signal);
  const alike = await withReading(begin, comparing);
  yield* (alike ?? []).slice(0, MOST).map(({ hint }) => hint);
  if (alike === null) return;
  await untilAborted(library.complete(agent), signal);
  let unanswered = 0;
  for (const wordings of usualQuestions) {
    if (unanswered === MOST) return;
    const answers = (reading: ReadingEngine) =>
      isAnswered({ library, reading, readingEnds: null }, agent, wordings, signal);
    if ((await withReading(begin, answers)) !== false) continue;
    unanswered++;
    yield { kind: 'unanswered', text: wordings[0] ?? '', passages: [] };
  }
}

/** Null if the encoder is not available now. */
async function withReading<T>(
  begin: () => TurnReading,
  task: (reading: ReadingEngine) => Promise<T>,
): Promise<T | null> {
  const { engine, end } = begin();
  try {
    return engine.status().state === 'ready' ? await task(engine) : null;
  } finally {
    end();
  }
}

/** Whether one of the wordings finds an answer. */
async function isAnswered(
  knowing: Knowing,
  agent: AgentProfile,
  wordings: readonly string[],
  signal: AbortSignal,
): Promise<boolean> {
  for (const text of wordings)
    if ((await find(knowing, agent, { text, context: null }, signal)).confidence >= SURE) return true;
  return false;
}
