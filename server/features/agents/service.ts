import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { AgentDocument, AgentProfile } from '#server/dialogue/contract';
import { conflict, notFound, payloadTooLarge } from '#server/lib/errors';
import { accountOf, type Scope } from '#server/lib/scope';
import { TextQuota } from '#server/lib/text-quota';
import {
  type Agent,
  type AgentChange,
  type AgentDraft,
  type ChangedAgent,
  companyInfoSchema,
  DEFAULT_LANGUAGE,
  DEFAULT_MASKS,
  MAX_AGENTS_PER_USER,
  MAX_COMPANY_INFO_CHARACTERS,
} from '#shared/agents';
import { refusal } from '#shared/refusals/refusal';
import { type DecidedSayings, sayingsIn } from '#shared/sayings';
import type { AgentRecord, AgentsRepository, AgentText } from './repository.ts';
import { withAnswer } from './written-answers.ts';

export type { KeepingVersions } from './versions/repository.ts';

interface AgentsOptions {
  /** Called with every saved agent, so that its knowledge is ready before the first call. Must not throw. */
  onSaved?: (agent: AgentProfile) => void;
  onDeleted?: (agentId: string, scope: Scope) => void;
  /** How many agents one account may have. */
  max?: number;
  /** Limits storage: each save keeps all of an agent's texts as another version. */
  texts?: TextQuota;
  /** The agent's documents, besides its company information. */
  documentsOf?: (scope: Scope, agentId: string) => Promise<AgentDocument[]>;
}

/**
 * The agents that a member may call: the demo agent, which is everybody's, and those of their workspace. Methods that
 * need an agent throw `notFound` for an id that is malformed, missing or of another workspace.
 */
export class AgentsService {
  readonly #repository: AgentsRepository;
  readonly #onSaved: (agent: AgentProfile) => void;
  readonly #onDeleted: (agentId: string, scope: Scope) => void;
  readonly #max: number;
  readonly #texts: TextQuota;
  readonly #documentsOf: (scope: Scope, agentId: string) => Promise<AgentDocument[]>;
  readonly demoAgent: AgentProfile;

  constructor(repository: AgentsRepository, demoAgent: AgentProfile, options: AgentsOptions = {}) {
    this.#repository = repository;
    this.#max = options.max ?? MAX_AGENTS_PER_USER;
    this.#texts = options.texts ?? new TextQuota();
    this.demoAgent = demoAgent;
    this.#onSaved = options.onSaved ?? (() => {});
    this.#onDeleted = options.onDeleted ?? (() => {});
    this.#documentsOf = options.documentsOf ?? (async () => []);
  }

  /**
   * An agent of the workspace as the dialogue uses it; null if the id is malformed, missing or of another workspace.
   */
  async profileFor(scope: Scope, agentId: string): Promise<AgentProfile | null> {
    const record = isUuid(agentId) ? await this.#repository.find(scope, agentId) : null;
    return record && this.#profile(record, scope);
  }

  /** Newest first. */
  async list(scope: Scope): Promise<Agent[]> {
    return (await this.#repository.list(scope)).map(present);
  }

  async get(scope: Scope, id: string): Promise<Agent> {
    const record = isUuid(id) ? await this.#repository.find(scope, id) : null;
    if (!record) throw missing();
    return present(record);
  }

  /** @throws AppError conflict when the user has the most agents allowed, or has stored too much text this day */
  async create(scope: Scope, draft: AgentDraft): Promise<Agent> {
    await this.#texts.take(accountOf(scope), sizeOf(draft, sayingsIn(draft)));
    const record = await this.#repository.insert(scope, uuidv7(), textOf(draft), new Date(), this.#max);
    if (!record) throw tooMany(this.#max);
    this.#onSaved(this.#profile(record, scope));
    return present(record);
  }

  /**
   * Saves a change; the later save wins. If another version was saved since this change started, the answer carries
   * what it replaced.
   * @throws AppError conflict when too much text was stored this day
   */
  async update(scope: Scope, id: string, change: AgentChange): Promise<ChangedAgent> {
    await this.#texts.take(accountOf(scope), sizeOf(change, sayingsIn(change)));
    const textAfter = (before: AgentRecord) => textOf(change, before);
    const saved = isUuid(id) ? await this.#repository.update(scope, id, textAfter, new Date()) : null;
    if (!saved) throw missing();
    const { before, after } = saved;
    this.#onSaved(this.#profile(after, scope));
    const startedFrom = change.updatedAt === undefined ? null : Date.parse(change.updatedAt);
    const isReplaced =
      startedFrom !== null && startedFrom !== before.updatedAt.getTime() && !isSameText(before, after);
    return { ...present(after), ...(isReplaced ? { replaced: present(before) } : {}) };
  }

  /**
   * Restores an earlier version of an agent as its newest one.
   * @throws AppError conflict when too much text was stored this day
   */
  async restore(scope: Scope, id: string, text: AgentText, version: number): Promise<Agent> {
    await this.#texts.take(accountOf(scope), sizeOf(text, text.sayings));
    const saved = isUuid(id)
      ? await this.#repository.update(scope, id, () => text, new Date(), version)
      : null;
    if (!saved) throw missing();
    this.#onSaved(this.#profile(saved.after, scope));
    return present(saved.after);
  }

  /**
   * Adds a question and its answer to an agent's knowledge, keeping all changes saved meanwhile.
   * @throws AppError payload-too-large when they do not fit, conflict when too much text was stored this day
   */
  async addAnswer(scope: Scope, id: string, question: string, answer: string): Promise<AgentProfile> {
    const change = (before: AgentRecord) => {
      const companyInfo = companyInfoSchema.safeParse(withAnswer(before.companyInfo, question, answer));
      if (!companyInfo.success) throw noRoom();
      return { ...textOf(before, before), companyInfo: companyInfo.data };
    };
    const known = isUuid(id) ? await this.#repository.find(scope, id) : null;
    if (!known) throw missing();
    await this.#texts.take(accountOf(scope), sizeOf(known, known.sayings) + question.length + answer.length);
    const saved = await this.#repository.update(scope, id, change, new Date());
    if (!saved) throw missing();
    const agent = this.#profile(saved.after, scope);
    this.#onSaved(agent);
    return agent;
  }

  /** Keeps past conversations. A current call is told that the agent does not exist. */
  async delete(scope: Scope, id: string): Promise<void> {
    const deleted = isUuid(id) && (await this.#repository.delete(scope, id));
    if (!deleted) throw missing();
    this.#onDeleted(id, scope);
  }

  /** Deletes every agent of a workspace whose last member is deleted. */
  async deleteAll(scope: Scope): Promise<void> {
    for (const id of await this.#repository.ids(scope))
      if (await this.#repository.delete(scope, id)) this.#onDeleted(id, scope);
  }

  #profile(record: AgentRecord, scope: Scope): AgentProfile {
    const { id, documentsAt } = record;
    return {
      ...profile(record),
      ...(documentsAt
        ? {
            revision: `${record.updatedAt.toISOString()}+${documentsAt.toISOString()}`,
            documents: () => this.#documentsOf(scope, id),
          }
        : {}),
    };
  }
}

const missing = () => notFound('agent');

const tooMany = (max: number) => conflict(refusal('agents.too-many', { max }));

const noRoom = () =>
  payloadTooLarge(refusal('agents.answer-does-not-fit', { max: MAX_COMPANY_INFO_CHARACTERS }));

function present(record: AgentRecord): Agent {
  const { id, workspaceId, documentsAt, createdAt, updatedAt, sayings, ...text } = record;
  return {
    _id: id,
    ...text,
    ...sayings,
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  };
}

/** Defaults of a new agent. */
const UNSAID: Pick<AgentText, 'language' | 'masks' | 'sayings'> = {
  language: DEFAULT_LANGUAGE,
  masks: [...DEFAULT_MASKS],
  sayings: {},
};

/** @param before the current texts, used for fields that the draft omits */
const textOf = (draft: AgentDraft, before = UNSAID): AgentText => {
  const { name, companyName, personality, companyInfo, prompts } = draft;
  const { language = before.language, masks = before.masks } = draft;
  const sayings = { ...before.sayings, ...sayingsIn(draft) };
  return { name, companyName, personality, companyInfo, prompts, sayings, language, masks };
};

/** Characters stored for a version, about. */
const sizeOf = (
  { personality, companyInfo, prompts }: Pick<AgentDraft, 'personality' | 'companyInfo' | 'prompts'>,
  sayings: DecidedSayings,
): number =>
  personality.length + companyInfo.length + prompts.join('').length + JSON.stringify(sayings).length;

const isSameText = (one: AgentText, other: AgentText) =>
  JSON.stringify(textOf(one, one)) === JSON.stringify(textOf(other, other));

const profile = (record: AgentRecord): AgentProfile => ({
  id: record.id,
  ownerId: record.workspaceId,
  revision: record.updatedAt.toISOString(),
  version: record.version,
  name: record.name,
  companyName: record.companyName,
  personality: record.personality,
  companyInfo: record.companyInfo,
  prompts: record.prompts,
  sayings: record.sayings,
  language: record.language,
  masks: record.masks,
});
