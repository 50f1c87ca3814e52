import { notFound } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import { type AgentsInCalls, agentOf } from '../agent-of.ts';
import { masked } from './masked.ts';

interface Surroundings {
  conversations: { find(scope: ContactScope, id: string): Promise<{ agentId: string | null } | null> };
  agents: AgentsInCalls;
}

/**
 * Checks whether a customer's words in a conversation contain data that must not be stored, so that their sound is not
 * stored either. The returned function throws AppError not-found for a conversation or an agent that is not theirs.
 */
export const maskedIn =
  ({ conversations, agents }: Surroundings) =>
  async (scope: ContactScope, conversationId: string, text: string): Promise<boolean> => {
    const spokenTo = async () => {
      const conversation = await conversations.find(scope, conversationId);
      if (!conversation) throw notFound('conversation');
      return agentOf(agents, scope, conversation);
    };
    return (await masked(text, spokenTo)).isMasked;
  };
