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
  /** Finds questions of one meaning; null: each stands for itself. */
  reading: ReadingEngine | null;
}

/** What agents could not answer, grouped by meaning, and the answers that people write for them. */
export class UnansweredService {
  readonly #deps: UnansweredDependencies;
  readonly #grouping: Grouping | null;

  constructor({ reading, ...deps }: UnansweredDependencies) {
    this.#deps = { reading, ...deps };
    this.#grouping = reading && new Grouping({ reading, ...deps });
  }

  /** Groups what was compared with no other question yet. @throws EngineError */
  async group(): Promise<void> {
    await this.#grouping?.run();
  }

  /** The most frequent first, of those alike the one asked last. */
  async list(scope: Scope, limit: number): Promise<Unanswered[]> {
    const groups = await this.#deps.repository.list(scope, limit);
    return groups.map(({ id, lastAskedMs, ...group }) => ({
      ...group,
      _id: id,
      lastAsked: new Date(lastAskedMs).toISOString(),
    }));
  }

  /**
   * Adds question and answer to what the agent knows and takes the question off the list. The same again changes nothing;
   * another answer to the same question takes the place of the first.
   * @returns how the agent answers it now
   * @throws AppError not-found, conflict for the demo agent, payload-too-large when it does not fit; EngineError or the
   *   signal's reason when it could not be tried, though it is saved
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

  /** Takes a question off the list without an answer. Asked again, it is listed again. */
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
