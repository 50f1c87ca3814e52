import type { Logger } from 'pino';
import type { LanguageEngine } from '#server/engines/language/contract';
import type { ReadingEngine, VectorFiles } from '#server/engines/reading/contract';
import { phrasesElsewhere } from '#server/languages/elsewhere';
import { isOfPack, packOf } from '#server/languages/index';
import { timeLimit } from '#server/lib/wait';
import { actionTools } from './actions/tools.ts';
import { compareAnswers } from './compare-answers.ts';
import type { AgentProfile, CustomerTurn, Dialogue, ReplyEvent } from './contract.ts';
import { instructionsOf } from './instructions.ts';
import { type Knowing, READING_WAIT_MS } from './knowledge/find.ts';
import { openLibrary } from './knowledge/library.ts';
import { readForTurns } from './knowledge/read-for-turns.ts';
import { respondGrounded, voiceOf } from './manners/reply.ts';
import { withoutOthersRecords } from './manners/state.ts';
import { respondWithModel } from './models/respond-with-model.ts';
import type { ModelSurroundings } from './models/surroundings.ts';
import { welcomeTopics } from './welcome-topics.ts';
import { review } from './writing-help/review.ts';

interface DialogueOptions {
  /** The current models, in the order in which they are asked; none: the grounded responder answers. */
  models?: () => readonly LanguageEngine[];
  /** Null, or not ready: answers rest on words only. */
  reading: ReadingEngine | null;
  /** Stores vectors over restarts; without it they are computed again. */
  vectors?: VectorFiles;
  logger?: Pick<Logger, 'warn'>;
  /** IANA name of the business's time zone; default: this machine's. */
  timeZone?: string;
  /** How long a reply waits for reading, in milliseconds; null: without limit, however busy the machine is. */
  readingWaitMs?: number | null;
}

export interface GroundedDialogue extends Dialogue {
  /** Resolves when the agent is completely indexed, including meaning: for benchmarks. */
  complete(agent: AgentProfile): Promise<void>;
  /** How the last grounded reply came about, one line per question: for evaluating by hand, one turn at a time. */
  lastTrace(): readonly string[];
}

/** The agent's own words in a language without a pack, where a language model says the rest. */
const elsewhere = ({ language }: AgentProfile) => (isOfPack(language) ? null : phrasesElsewhere(language));

/** The one brain. Grounded responder and model answer from the same index. */
export function createDialogue({
  models = () => [],
  reading,
  vectors,
  logger,
  timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone,
  readingWaitMs = READING_WAIT_MS,
}: DialogueOptions): GroundedDialogue {
  const library = openLibrary(reading, { kept: vectors, logger });
  const forTurn = reading && readForTurns(reading);
  /** Writers can wait, callers cannot. */
  const forWriters = reading && readForTurns(reading, { urgency: 'index' });
  let trace: readonly string[] = [];
  return {
    get brain() {
      const [model] = models();
      return model
        ? { name: model.name, kind: 'model' as const }
        : { name: 'Grounded responder', kind: 'grounded' as const };
    },
    greet: (agent) => {
      const { say } = packOf(agent.language);
      return (
        instructionsOf(agent).greeting ??
        (models().length > 0 ? elsewhere(agent) : null)?.welcome(agent.name, agent.companyName) ??
        say.welcome(voiceOf({ agent, history: [] }), welcomeTopics(agent))
      );
    },
    oneMoment: (agent) =>
      models().length > 0
        ? (elsewhere(agent)?.oneMoment ??
          packOf(agent.language).say.oneMoment(voiceOf({ agent, history: [] })))
        : null,
    stillThere: (agent) =>
      (models().length > 0 ? elsewhere(agent) : null)?.stillThere ??
      packOf(agent.language).say.stillThere(voiceOf({ agent, history: [] })),
    async *respond(asked, signal) {
      const turn = { ...asked, history: withoutOthersRecords(asked.history) };
      const reads = forTurn?.(turn.account ?? turn.agent.id, readingWaitMs === null);
      const readingEnds = readingWaitMs === null ? null : timeLimit(readingWaitMs);
      const knowing = { library, reading: reads?.engine ?? null, readingEnds };
      try {
        // A turn ends with the models it began with.
        const ladder = models();
        yield* ladder.length > 0 && turn.models?.isLeft() !== false
          ? respondWithModel(modelled(ladder, knowing), turn, signal)
          : grounded(knowing, turn, signal);
      } finally {
        reads?.end();
      }
    },
    title: (agent, messages, topics) => packOf(agent.language).messages.title(messages, topics),
    async prepare(agent, signal) {
      signal?.throwIfAborted();
      await library.prepare(agent);
    },
    review: (agent, signal) =>
      review({ library, begin: forWriters && (() => forWriters(agent.id)) }, agent, signal),
    passagesOf: (...asked) => library.passagesOf(...asked),
    countPassages: (...asked) => library.countPassages(...asked),
    forget: (agent) => library.forget(agent),
    forgetAgent: (agentId) => library.forgetAgent(agentId),
    compare: (before, after, questions, signal) =>
      compareAnswers({ library, reading }, { before, after, questions }, signal),
    complete: async (agent) => void (await library.complete(agent)),
    lastTrace: () => trace,
    close: () => library.close(),
  };

  function modelled(asked: readonly LanguageEngine[], knowing: Knowing): ModelSurroundings {
    return {
      models: asked,
      knowing,
      timeZone,
      grounded: (turn, signal) => grounded(knowing, turn, signal),
      toolsOf: actionTools,
      onFailure: (model, error) => logger?.warn({ err: error, model }, 'a language model failed'),
      onWithheld: (model, reason) => logger?.warn({ model, reason }, 'a sentence rested on nothing'),
    };
  }

  async function* grounded(
    knowing: Knowing,
    turn: CustomerTurn,
    signal: AbortSignal,
  ): AsyncGenerator<ReplyEvent> {
    signal.throwIfAborted();
    const replying = respondGrounded(knowing, turn, signal, timeZone);
    let said = 0;
    let step = await replying.next();
    for (; !step.done; step = await replying.next())
      yield { type: 'sentence', index: said++, text: step.value, isLast: false };
    const { sentences, expects, trace: how, ...whole } = step.value;
    trace = how;
    for (const [place, text] of sentences.entries()) {
      signal.throwIfAborted();
      const isLast = place === sentences.length - 1;
      yield { type: 'sentence', index: said + place, text, isLast, ...(isLast ? { expects } : {}) };
    }
    yield { type: 'reply', ...whole };
  }
}
