import { validate as isUuid } from 'uuid';
import { notFound } from '#server/lib/errors';
import type { Scope } from '#server/lib/scope';
import type { AgentVersion, VersionListQuery, WholeVersion } from '#shared/agent-versions';
import type { Agent } from '#shared/agents';
import { sayingsIn } from '#shared/sayings';
import type { AgentsService } from '../service.ts';
import type { VersionRecord, VersionsRepository } from './repository.ts';

interface VersionPage {
  versions: AgentVersion[];
  /** `null` on the last page. */
  nextCursor: string | null;
}

/** Versions read at once for an export. */
const EXPORTED_AT_ONCE = 50;

/**
 * The states of agents after each change. Methods throw `notFound` for agents and versions that are missing, or of
 * another workspace.
 */
export class VersionsService {
  readonly #repository: VersionsRepository;
  readonly #agents: Pick<AgentsService, 'profileFor' | 'restore'>;

  constructor(repository: VersionsRepository, agents: Pick<AgentsService, 'profileFor' | 'restore'>) {
    this.#repository = repository;
    this.#agents = agents;
  }

  /** Newest first, without their contents. */
  async list(scope: Scope, agentId: string, query: VersionListQuery): Promise<VersionPage> {
    const { limit, cursor = null } = query;
    if (!(await this.#agents.profileFor(scope, agentId))) throw notFound('agent');
    const rows = await this.#repository.list(scope, agentId, limit + 1, cursor);
    const versions = rows.slice(0, limit).map(present);
    const last = versions.at(-1);
    return { versions, nextCursor: rows.length > limit && last ? String(last.version) : null };
  }

  async get(scope: Scope, agentId: string, version: number): Promise<WholeVersion> {
    const record = isUuid(agentId) ? await this.#repository.find(scope, agentId, version) : null;
    if (!record) throw notFound('version');
    return { ...present(record), content: record.content };
  }

  /**
   * Makes an earlier version the newest one. The current state stays among the versions; documents and actions do not
   * change.
   */
  async restore(scope: Scope, agentId: string, version: number): Promise<Agent> {
    const { content } = await this.get(scope, agentId, version);
    const { name, companyName, personality, companyInfo, prompts, language, masks } = content;
    const own = { name, companyName, personality, companyInfo, prompts, language, masks };
    return this.#agents.restore(scope, agentId, { ...own, sayings: sayingsIn(content) }, version);
  }

  /** All versions of one agent with their contents, newest first, one after another, for an export. */
  async *export(scope: Scope, agentId: string): AsyncGenerator<WholeVersion> {
    for (let before: number | null = null; ; ) {
      const some: VersionRecord[] = await this.#repository.list(scope, agentId, EXPORTED_AT_ONCE, before);
      for (const record of some) {
        const whole = await this.#repository.find(scope, agentId, record.version);
        if (whole) yield { ...present(whole), content: whole.content };
        before = record.version;
      }
      if (some.length < EXPORTED_AT_ONCE) return;
    }
  }
}

const present = (record: VersionRecord): AgentVersion => ({
  version: record.version,
  createdAt: record.createdAt.toISOString(),
  by: { _id: record.userId ?? '', name: record.userName ?? 'Somebody who has left' },
  changed: record.changed,
  ...(record.restoredFrom === null ? {} : { restoredFrom: record.restoredFrom }),
});
