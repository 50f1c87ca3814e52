import type { SharedState } from '#server/engines/shared-state/contract';
import type { AgentsService } from '#server/features/agents/service';
import type { RoomAgent } from './call-record.ts';
import type { RoomsRepository } from './repository.ts';
import { AgentChoices } from './sharing/agent-choices.ts';
import { type AgentName, nameOf } from './sharing/wire.ts';

interface AgentsSurroundings {
  agents: AgentsService;
  repository: RoomsRepository;
  /** The state shared by instances that have the same rooms; null if no other instance has them. */
  sharedState: SharedState | null;
}

/** Chooses the agent of a room that has none yet. */
export class RoomAgents {
  readonly #around: AgentsSurroundings;
  readonly #choices: AgentChoices;

  constructor(around: AgentsSurroundings) {
    this.#around = around;
    this.#choices = new AgentChoices(around.sharedState);
  }

  /**
   * The agent chosen before anybody came, else the requested one, else the one in the room until a moment ago (for
   * example before a restart); else the demo agent.
   */
  async in(roomName: string, wanted: RoomAgent | null): Promise<RoomAgent> {
    const chosen = this.#choices.of(roomName);
    if (chosen !== undefined) return this.by(chosen);
    if (wanted) return wanted;
    const before = await this.#around.repository.agentOf(roomName, new Date());
    return this.by(
      before?.agentId && before.agentOwnerId
        ? { agentId: before.agentId, ownerId: before.agentOwnerId }
        : null,
    );
  }

  /** The named agent; the demo agent if it no longer exists. */
  async by(name: AgentName): Promise<RoomAgent> {
    const { agents, repository } = this.#around;
    const scope = name && (await repository.scopeOf(name.ownerId));
    const profile = scope && (await agents.profileFor(scope, name.agentId));
    return profile ? { profile, ownerId: name.ownerId } : { profile: agents.demoAgent, ownerId: null };
  }

  /** Chooses an agent for when a person comes. */
  choose(roomName: string, agent: RoomAgent): void {
    this.#choices.choose(roomName, nameOf(agent));
  }

  /** The agent is on its way. */
  sent(roomName: string): void {
    this.#choices.forget(roomName);
  }

  sweep(): void {
    this.#choices.sweep();
  }
}
