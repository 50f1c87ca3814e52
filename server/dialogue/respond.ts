import type { Logger } from 'pino';
import type { LanguageEngine } from '#server/engines/language/contract';
import type { ReadingEngine, VectorFiles } from '#server/engines/reading/contract';
import { packOf } from '#server/languages/index';
import { actionTools } from './actions/tools.ts';
import type { AgentProfile, CustomerTurn, Dialogue, ReplyEvent } from './contract.ts';
import type { Knowing } from './knowledge/find.ts';
import { openLibrary } from './knowledge/library.ts';
import { readForTurns } from './knowledge/read-for-turns.ts';
import { respondGrounded, voiceOf } from './manners/reply.ts';
import { type ModelSurroundings, respondWithModel } from './models/respond-with-model.ts';
import { welcomeTopics } from './welcome-topics.ts';
import { review } from './writing-help/review.ts';

interface DialogueOptions {
  /** In the order in which they are asked; none: the grounded responder answers. */
  models?: readonly LanguageEngine[];
  /** Null, or not ready: answers rest on words alone. */
  reading: ReadingEngine | null;
  /** Where vectors outlive a restart; without it they are made anew. */
  vectors?: VectorFiles;
  logger?: Pick<Logger, 'warn'>;
}

export interface GroundedDialogue extends Dialogue {
  /** Resolves when everything that can be known of the agent is indexed, meaning included: for benchmarks. */
  complete(agent: AgentProfile): Promise<void>;
  /** How the last grounded reply came about, one line per question: for evaluating by hand, one turn at a time. */
  lastTrace(): readonly string[];
}

/** The one brain. Grounded responder and model answer from the same index. */
export function createDialogue({ models = [], reading, vectors, logger }: DialogueOptions): GroundedDialogue {
  const library = openLibrary(reading, { kept: vectors, logger });
  const forTurn = reading && readForTurns(reading);
  let trace: readonly string[] = [];
  return {
    brain: models[0]
      ? { name: models[0].name, kind: 'model' }
      : { name: 'Grounded responder', kind: 'grounded' },
    greet: (agent) =>
      packOf(agent.language).say.welcome(voiceOf({ agent, history: [] }), welcomeTopics(agent)),
    oneMoment: (agent) =>
      models.length > 0 ? packOf(agent.language).say.oneMoment(voiceOf({ agent, history: [] })) : null,
    async *respond(turn, signal) {
      const reads = forTurn?.(turn.account ?? turn.agent.id);
      const knowing = { library, reading: reads?.engine ?? null };
      try {
        yield* models.length > 0 && turn.models?.isLeft() !== false
          ? respondWithModel(modelled(knowing), turn, signal)
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
      review({ library, begin: forTurn && (() => forTurn(agent.id)) }, agent, signal),
    passagesOf: (document, language) => library.passagesOf(document, language),
    forget: (agent) => library.forget(agent),
    forgetAgent: (agentId) => library.forgetAgent(agentId),
    complete: (agent) => library.complete(agent),
    lastTrace: () => trace,
    close: () => library.close(),
  };

  function modelled(knowing: Knowing): ModelSurroundings {
    return {
      models,
      knowing,
      grounded: (turn, signal) => grounded(knowing, turn, signal),
      toolsOf: (turn) => actionTools(turn, packOf(turn.agent.language)),
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
    const replying = respondGrounded(knowing, turn, signal);
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
