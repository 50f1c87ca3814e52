import type { ReadingEngine } from '#server/engines/reading/contract';
import type { LanguagePack } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import { untilAborted } from '#server/wait';
import type { WritingHint } from '#shared/agents';
import type { AgentProfile } from '../contract.ts';
import { SURE } from '../knowledge/confidence.ts';
import { find, type Knowing } from '../knowledge/find.ts';
import type { Library } from '../knowledge/library.ts';
import type { TurnReading } from '../knowledge/read-for-turns.ts';
import type { Passage } from '../passages/contract.ts';
import { contradictionsIn } from './contradictions.ts';
import { type ReadStatement, readStatements } from './statements.ts';

/** Of each kind: more than this nobody reads while they write. */
const MOST = 4;

interface ReviewSurroundings {
  library: Library;
  /** Begins to read, behind every call; null: nothing reads. */
  begin: (() => TurnReading) | null;
}

/**
 * What a writer may want to mend: statements that contradict each other, rules that promise a time, a price or a limit without
 * saying which, and questions that customers usually ask and nothing answers.
 * @throws EngineError where reading failed, or the signal's reason
 */
export async function* review(
  { library, begin }: ReviewSurroundings,
  agent: AgentProfile,
  signal: AbortSignal,
): AsyncGenerator<WritingHint> {
  const pack = packOf(agent.language);
  const passages = await untilAborted(library.read(agent), signal);
  const statements = readStatements(passages, pack);
  yield* withoutNumber(statements, pack).slice(0, MOST);
  if (!begin) return;
  const comparing = (reading: ReadingEngine) => contradictionsIn(statements, reading, signal);
  const pairs = await withReading(begin, comparing);
  yield* (pairs ?? []).slice(0, MOST).map(({ one, other }) => ({
    kind: 'contradiction' as const,
    text: one.figures.length > 0 ? [one, other].map(figuresOf).join(' / ') : '',
    passages: [one, other].map(quoted),
  }));
  if (pairs === null) return;
  await untilAborted(library.complete(agent), signal);
  let unanswered = 0;
  for (const wordings of pack.writing.usualQuestions(textOf(passages))) {
    if (unanswered === MOST) return;
    const answers = (reading: ReadingEngine) =>
      isAnswered({ library, reading, readingEnds: null }, agent, wordings, signal);
    if ((await withReading(begin, answers)) !== false) continue;
    unanswered++;
    yield { kind: 'unanswered', text: wordings[0] ?? '', passages: [] };
  }
}

/** Null: nothing can be read now. */
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

/** A passage with a figure of any kind says what its words leave open. */
function withoutNumber(statements: readonly ReadStatement[], { writing }: LanguagePack): WritingHint[] {
  const exact = new Set(statements.filter(({ figures }) => figures.length > 0).map(({ passage }) => passage));
  return statements
    .filter(({ passage }) => !exact.has(passage))
    .flatMap((each) => {
      const vague = writing.vagueIn(each.statement.told);
      return vague === null ? [] : [{ kind: 'no-number' as const, text: vague, passages: [quoted(each)] }];
    });
}

const figuresOf = ({ figures }: ReadStatement) => figures.map(({ value }) => value).join(', ');

const quoted = ({ passage, statement }: ReadStatement) =>
  [passage.headings.at(-1), statement.text].filter(Boolean).join(': ');

const textOf = (passages: readonly Passage[]) =>
  passages
    .flatMap(({ headings, statements }) => [...headings, ...statements.map(({ text }) => text)])
    .join('\n');
