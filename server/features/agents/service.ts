import { validate as isUuid } from 'uuid';
import type { AgentProfile } from '#server/dialogue/contract';
import type { AgentRecord, AgentsRepository } from './repository.ts';

/** The agents a user may call: the demo agent, who belongs to everybody, and their own. */
export class AgentsService {
  readonly #repository: AgentsRepository;
  readonly demoAgent: AgentProfile;

  constructor(repository: AgentsRepository, demoAgent: AgentProfile) {
    this.#repository = repository;
    this.demoAgent = demoAgent;
  }

  /** One of the user's own agents as the dialogue knows it; null when the id is malformed, missing or somebody else's. */
  async profileFor(userId: string, agentId: string): Promise<AgentProfile | null> {
    const record = isUuid(agentId) ? await this.#repository.find(userId, agentId) : null;
    return record && profile(record);
  }
}

const profile = (record: AgentRecord): AgentProfile => ({
  id: record.id,
  revision: record.updatedAt.toISOString(),
  name: record.name,
  companyName: record.companyName,
  personality: record.personality,
  companyInfo: record.companyInfo,
  prompts: record.prompts,
});
