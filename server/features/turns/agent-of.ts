import type { AgentProfile } from '#server/dialogue/contract';
import { notFound } from '#server/lib/errors';
import type { Scope } from '#server/lib/scope';

/** The agents that conversations are held with. */
export interface AgentsInCalls {
  demoAgent: AgentProfile;
  profileFor(scope: Scope, agentId: string): Promise<AgentProfile | null | undefined>;
}

/**
 * The agent of a conversation.
 * @throws AppError not-found if it is missing, or of another workspace
 */
export async function agentOf(
  agents: AgentsInCalls,
  scope: Scope,
  { agentId }: { agentId: string | null },
): Promise<AgentProfile> {
  const agent = agentId === null ? agents.demoAgent : await agents.profileFor(scope, agentId);
  if (!agent) throw notFound('agent');
  return agent;
}
