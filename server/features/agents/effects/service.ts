import { createHash } from 'node:crypto';
import type { AgentDocument, AgentProfile, Dialogue } from '#server/dialogue/contract';
import { conflict, notFound, unavailable } from '#server/lib/errors';
import { accountOf, type Scope } from '#server/lib/scope';
import { timeLimit } from '#server/lib/wait';
import { type Effect, type EffectRequest, MAX_ASKED } from '#shared/effects';
import { sayingsIn } from '#shared/sayings';
import { HeldDrafts } from '../held-drafts.ts';
import type { AgentsService } from '../service.ts';
import { type CustomersQuestion, questionsIn } from './past-questions.ts';
import type { EffectsRepository } from './repository.ts';

interface EffectsDependencies {
  repository: Pick<EffectsRepository, 'conversations' | 'saidIn'>;
  agents: Pick<AgentsService, 'profileFor'>;
  /** One of the user's documents; null if no readable one exists. */
  documentOf(scope: Scope, id: string): Promise<AgentDocument | null>;
  dialogue: Pick<Dialogue, 'compare' | 'forget'>;
  /** How long to ask questions, in milliseconds. */
  withinMs: number;
}

/** Conversations searched for questions at once, and at most. */
const CONVERSATIONS_AT_ONCE = 200;
const MAX_CONVERSATIONS = 2_000;

/** The effect of a change of an agent on its answers, tried with past questions of customers. Stores nothing. */
export class EffectsService {
  readonly #deps: EffectsDependencies;
  readonly #drafts: HeldDrafts;
  readonly #closing = new AbortController();

  constructor(deps: EffectsDependencies) {
    this.#deps = deps;
    this.#drafts = new HeldDrafts({ forget: (draft) => deps.dialogue.forget(draft), maxAtOnce: 1 });
  }

  /**
   * Answers the last questions with the agent before and after the change.
   * @throws AppError not-found for the agent or a document to share, conflict while another change of the same account
   *   is being tried, unavailable if the new text could not be read in time or the server closes; EngineError when the
   *   reader is away; the signal's reason
   */
  async see(scope: Scope, agentId: string, change: EffectRequest, signal: AbortSignal): Promise<Effect> {
    const { agents, dialogue, withinMs } = this.#deps;
    const agent = await agents.profileFor(scope, agentId);
    if (!agent) throw notFound('agent');
    const questions = await this.#lastQuestions(scope, agent);
    if (questions.length === 0) return { asked: 0, changed: 0, answers: [] };
    const shared = await this.#documents(scope, change.documents?.share ?? []);
    const draft = this.#drafts.take(accountOf(scope), draftOf(agent, change, shared));
    if (!draft) throw conflict('agents.effects-busy');
    const timeUp = timeLimit(withinMs);
    const stop = AbortSignal.any([signal, this.#closing.signal, timeUp]);
    const answers: Effect['answers'] = [];
    let asked = 0;
    try {
      for await (const pair of dialogue.compare(agent, draft.agent, questions, stop)) {
        const question = questions[asked++];
        if (pair && question)
          answers.push({
            question: question.text,
            conversationId: question.conversationId,
            before: pair.before.text,
            after: pair.after.text,
            outcomeBefore: pair.before.outcome,
            outcomeAfter: pair.after.outcome,
          });
      }
    } catch (error) {
      signal.throwIfAborted();
      if (this.#closing.signal.aborted) throw unavailable('common.stopping');
      // The answers so far are valid.
      if (!timeUp.aborted) throw error;
      if (asked === 0) throw unavailable('agents.effects-still-reading');
    } finally {
      this.#drafts.release(draft);
    }
    return { asked, changed: answers.length, answers };
  }

  /** Stops the current trial, and forgets every draft. */
  close(): void {
    this.#closing.abort(new Error('The server is stopping.'));
    this.#drafts.close();
  }

  async #documents(scope: Scope, ids: readonly string[]): Promise<AgentDocument[]> {
    const found: AgentDocument[] = [];
    for (const id of new Set(ids)) {
      const document = await this.#deps.documentOf(scope, id);
      if (!document) throw notFound('document');
      found.push(document);
    }
    return found;
  }

  async #lastQuestions(scope: Scope, agent: AgentProfile): Promise<CustomersQuestion[]> {
    const { repository } = this.#deps;
    const found: CustomersQuestion[] = [];
    const known = new Set<string>();
    let before: string | null = null;
    for (let seen = 0; seen < MAX_CONVERSATIONS && found.length < MAX_ASKED; ) {
      const ids: string[] = await repository.conversations(scope, agent.id, CONVERSATIONS_AT_ONCE, before);
      found.push(...questionsIn(await repository.saidIn(scope, ids), agent.language, known));
      before = ids.at(-1) ?? null;
      seen += ids.length;
      if (ids.length < CONVERSATIONS_AT_ONCE) break;
    }
    return found.slice(0, MAX_ASKED);
  }
}

/**
 * The agent after the change. The same change of the same state is the same draft, whose index stays for a while.
 * @param shared documents of other agents that it would read, too
 */
function draftOf(agent: AgentProfile, change: EffectRequest, shared: readonly AgentDocument[]): AgentProfile {
  const { companyInfo = agent.companyInfo, prompts = agent.prompts, documents } = change;
  const sayings = { ...agent.sayings, ...sayingsIn(change) };
  const removed = new Set([...(documents?.remove ?? []), ...shared.map(({ id }) => id)]);
  const written = (documents?.add ?? []).map(({ title, ...of }, n): AgentDocument => {
    const parts = 'parts' in of ? of.parts : [{ title: null, text: of.text }];
    return { id: `added:${n}`, revision: hashOf([title, parts]), title, parts };
  });
  const added = [...shared, ...written];
  const read = agent.documents;
  return {
    ...agent,
    id: `effect:${agent.ownerId ?? agent.id}`,
    revision: hashOf([
      ...[agent.id, agent.revision, companyInfo, prompts, sayings, documents ?? null],
      shared.map((each) => each.revision),
    ]),
    companyInfo,
    prompts,
    sayings,
    isDraft: true,
    basedOn: agent,
    ...(read || added.length > 0
      ? {
          documents: async () => [...((await read?.()) ?? []).filter(({ id }) => !removed.has(id)), ...added],
        }
      : {}),
  };
}

const hashOf = (value: unknown) => createHash('sha256').update(JSON.stringify(value)).digest('hex');
