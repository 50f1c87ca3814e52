import { validate as isUuid } from 'uuid';
import type { ReadingEngine } from '#server/engines/reading/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { CallsService } from '#server/features/turns/service';
import { conflict, notFound } from '#server/lib/errors';
import type { Scope } from '#server/lib/scope';
import type { AnsweredNow, Unanswered } from '#shared/insights';
import { Grouping } from './grouping.ts';
import type { FoundGroup, UnansweredRepository } from './repository.ts';

interface UnansweredDependencies {
  repository: UnansweredRepository;
  agents: Pick<AgentsService, 'addAnswer'>;
  calls: Pick<CallsService, 'rehearse'>;
  /** Finds questions of one meaning; null: each question stands alone. */
  reading: ReadingEngine | null;
}

/** Questions that agents could not answer, grouped by meaning, and people's answers to them. */
export class UnansweredService {
  readonly #deps: UnansweredDependencies;
  readonly #grouping: Grouping | null;

  constructor({ reading, ...deps }: UnansweredDependencies) {
    this.#deps = { reading, ...deps };
    this.#grouping = reading && new Grouping({ reading, ...deps });
  }

  /** Groups questions that were not compared yet. @throws EngineError */
  async group(): Promise<void> {
    await this.#grouping?.run();
  }

  /** The most frequent first; among equals, the latest question first. */
  async list(scope: Scope, limit: number): Promise<Unanswered[]> {
    const groups = await this.#deps.repository.list(scope, limit);
    return groups.map(({ id, lastAskedMs, ...group }) => ({
      ...group,
      _id: id,
      lastAsked: new Date(lastAskedMs).toISOString(),
    }));
  }

  /**
   * Adds question and answer to the agent's knowledge and removes the question from the list. Repeating it changes
   * nothing; another answer to the same question replaces the first.
   * @returns the agent's answer to it now
   * @throws AppError not-found, conflict for the demo agent, payload-too-large when it does not fit; EngineError or the
   *   signal's reason if it was saved but could not be tried
   */
  async answer(scope: Scope, id: string, answer: string, signal: AbortSignal): Promise<AnsweredNow> {
    const { repository, agents, calls } = this.#deps;
    const group = await this.#find(scope, id);
    if (group.agentId === null) throw conflict('agents.demo-cannot-change');
    const agent = await agents.addAnswer(scope, group.agentId, group.question, answer);
    await repository.resolve(scope, group.id, new Date());
    const turn = { scope, agent, history: [], text: group.question, voice: false };
    const { text, citations, outcome } = await calls.rehearse(turn, signal);
    return { message: text, citations, outcome };
  }

  /** Removes a question from the list without an answer. Asked again, it is listed again. */
  async dismiss(scope: Scope, id: string): Promise<void> {
    const group = await this.#find(scope, id);
    await this.#deps.repository.resolve(scope, group.id, new Date());
  }

  async close(): Promise<void> {
    await this.#grouping?.close();
  }

  async #find(scope: Scope, id: string): Promise<FoundGroup> {
    const group = isUuid(id) ? await this.#deps.repository.find(scope, id) : null;
    if (!group) throw notFound('question');
    return group;
  }
}
