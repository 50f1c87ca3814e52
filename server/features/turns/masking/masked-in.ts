import type { AgentProfile } from '#server/dialogue/contract';
import { notFound } from '#server/lib/errors';
import type { ContactScope, Scope } from '#server/lib/scope';
import { masked } from './masked.ts';

interface Surroundings {
  conversations: { find(scope: ContactScope, id: string): Promise<{ agentId: string | null } | null> };
  agents: {
    demoAgent: AgentProfile;
    profileFor(scope: Scope, agentId: string): Promise<AgentProfile | null | undefined>;
  };
}

/**
 * Checks whether a customer's words in a conversation contain data that must not be stored, so that their sound is not
 * stored either. The returned function throws AppError not-found for a conversation or an agent that is not theirs.
 */
export const maskedIn =
  ({ conversations, agents }: Surroundings) =>
  async (scope: ContactScope, conversationId: string, text: string): Promise<boolean> => {
    const agentOf = async (): Promise<AgentProfile> => {
      const conversation = await conversations.find(scope, conversationId);
      if (!conversation) throw notFound('conversation');
      if (conversation.agentId === null) return agents.demoAgent;
      const agent = await agents.profileFor(scope, conversation.agentId);
      if (!agent) throw notFound('agent');
      return agent;
    };
    return (await masked(text, agentOf)).isMasked;
  };
