import type { ReadingEngine } from '#server/engines/reading/contract';
import type { Words } from '#server/languages/contract';
import { packOf } from '#server/languages/index';
import { EngineError } from '#server/lib/engine-error';
import { untilAborted } from '#server/lib/wait';
import type { AgentProfile, AnswerPair, PastQuestion } from './contract.ts';
import { instructionsOf } from './instructions.ts';
import { isCommon, type Knowing, namedIn } from './knowledge/find.ts';
import { readForTurns } from './knowledge/read-for-turns.ts';
import type { Candidate, Query, SearchResult } from './knowledge/search-index.ts';
import type { GroundedReply } from './manners/draft.ts';
import { respondGrounded } from './manners/reply.ts';

/** Shares from 0 to 1 count as equal within this difference: every passage added or removed shifts all of them. */
const ALIKE = 0.05;

/** Passages compared between two states: later ones are sometimes read, but hardly ever told. */
const TOLD_APART_BY = 5;

interface Comparison {
  before: AgentProfile;
  after: AgentProfile;
  questions: readonly PastQuestion[];
}

/**
 * See `Dialogue.compare`. Answering is slow because of the cross-encoder, and most questions are unrelated to a change.
 * So each question is first only looked up in both states, by the same steps as an answer; it is answered only if the
 * passages to tell, or their scores, differ.
 */
export async function* compareAnswers(
  { library, reading }: Pick<Knowing, 'library' | 'reading'>,
  { before, after, questions }: Comparison,
  signal: AbortSignal,
): AsyncGenerator<AnswerPair | null> {
  if (reading && reading.status().state !== 'ready') throw away(reading.status().message);
  // Until both are completely indexed, the same question may find different passages.
  for (const agent of [before, after])
    if (!(await untilAborted(library.complete(agent), signal)) && reading)
      throw away('The reader could not read what the agent knows.');
  const remembered = reading && readForTurns(reading, { urgency: 'index' })(after.id);
  const failing = remembered && tellingFailure(remembered.engine);
  const { personaOf, words } = packOf(before.language);
  const [manner, other] = [before, after].map((agent) =>
    JSON.stringify([personaOf(agent), instructionsOf(agent)]),
  );
  const speakAlike = manner === other;

  const answer = async (agent: AgentProfile, question: PastQuestion): Promise<GroundedReply> => {
    const knowing = { library, reading: failing?.engine ?? null, readingEnds: null };
    const reply = await grounded(knowing, agent, question, signal);
    const failure = failing?.failure();
    if (failure !== undefined) throw away('The reader failed.', failure);
    return reply;
  };

  /** Whether both states find the same passages to tell, whatever the question's purpose. */
  const findAlike = async (question: PastQuestion): Promise<boolean> => {
    let isAlike = true;
    const inBoth: Knowing['library'] = {
      ...library,
      async search(_agent, queries, count, aborted) {
        const found = await library.search(before, queries, count, aborted);
        const others = await library.search(after, queries, count, aborted);
        isAlike &&= found.every((one, n) => tellAlike(words, queries[n], one, others[n]));
        return found;
      },
    };
    const glancing = remembered && { ...remembered.engine, ...onlyQuestions(remembered.engine) };
    // A fast path is less sure than the answer will be.
    const knowing = { library: inBoth, reading: glancing, readingEnds: null, searchesAll: true };
    await grounded(knowing, before, question, signal);
    return isAlike;
  };

  for (const question of questions) {
    if (speakAlike && (await findAlike(question))) {
      yield null;
      continue;
    }
    const one = await answer(before, question);
    const other = await answer(after, question);
    yield one.text === other.text && one.outcome === other.outcome ? null : { before: one, after: other };
  }
}

const away = (sentence: string, cause?: unknown) =>
  new EngineError(`${sentence} Please try again in a moment.`, { retryable: true, cause });

/** A complete reply without a model. */
async function grounded(
  knowing: Knowing,
  agent: AgentProfile,
  { text, history }: PastQuestion,
  signal: AbortSignal,
): Promise<GroundedReply> {
  const replying = respondGrounded(knowing, { agent, text, history }, signal);
  let step = await replying.next();
  while (!step.done) step = await replying.next();
  // Code that chooses what to say ignores cancelled reading.
  signal.throwIfAborted();
  return step.value;
}

/** An answer works around a failed reading. Here that would look like a change, so the failure is recorded. */
function tellingFailure(engine: ReadingEngine): { engine: ReadingEngine; failure(): unknown } {
  let failure: unknown;
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work;
    } catch (error) {
      failure ??= error;
      throw error;
    }
  };
  return {
    failure: () => failure,
    engine: {
      ...engine,
      embed: (texts, options) => noting(engine.embed(texts, options)),
      relevance: (question, texts, options) => noting(engine.relevance(question, texts, options)),
    },
  };
}

/** Reads only questions, not the passages found. */
const onlyQuestions = (engine: ReadingEngine): Pick<ReadingEngine, 'embed' | 'relevance'> => ({
  embed: async (texts, options) => {
    if (options?.as !== 'question') throw new Error('Passages are not read for a glance.');
    return engine.embed(texts, options);
  },
  relevance: async () => {
    throw new Error('Passages are not read for a glance.');
  },
});

/** Whether two searches bring the same passages to read, in the same order, with the same scores. */
const tellAlike = (
  words: Words,
  query: Query | undefined,
  one: SearchResult,
  other: SearchResult | undefined,
): boolean =>
  query !== undefined &&
  other !== undefined &&
  isNear(one.unknown, other.unknown) &&
  isCommon(one) === isCommon(other) &&
  namedIn(query.text, one.named, words) === namedIn(query.text, other.named, words) &&
  areTheSame(toBeRead(one), toBeRead(other));

const toBeRead = ({ candidates }: SearchResult) => candidates.slice(0, TOLD_APART_BY);

const areTheSame = (some: readonly Candidate[], others: readonly Candidate[]) =>
  some.length === others.length && some.every((candidate, n) => isTheSame(candidate, others[n]));

function isTheSame(one: Candidate, other: Candidate | undefined): boolean {
  return (
    other !== undefined &&
    isNear(one.likeness, other.likeness) &&
    isNear(one.coverage, other.coverage) &&
    contentOf(one) === contentOf(other)
  );
}

/** A passage's number is its place, which every earlier passage shifts. */
const contentOf = ({ passage }: Candidate) => JSON.stringify({ ...passage, id: null });

const isNear = (one: number, other: number) => Math.abs(one - other) <= ALIKE;
