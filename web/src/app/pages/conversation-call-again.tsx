import { Phone } from 'lucide-react';
import { Link } from 'react-router';
import { agentInStateSchema } from '#shared/agents';
import { useAgent } from '#web/features/agents/api';
import type { ShownConversation } from '#web/features/conversations/api';
import { agentPath, agentState } from '#web/lib/agent-in-state';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';

/** Starts a new call with the current version of the same agent; empty if the agent was deleted. */
export function CallAgain({ conversation }: { conversation: Pick<ShownConversation, 'agentId'> }) {
  if (conversation.agentId !== undefined) return <CallAgent agentId={conversation.agentId} />;
  return <CallLink to="/call-simulator" />;
}

function CallAgent({ agentId }: { agentId: string }) {
  const { data } = useAgent(agentId);
  const agent = agentInStateSchema.safeParse(data);
  if (!agent.success) return null;
  return <CallLink to={agentPath('calls', agent.data.name)} state={agentState(agent.data)} />;
}

function CallLink({ to, state }: { to: string; state?: object }) {
  return (
    <Button asChild variant="secondary" size="sm">
      <Link to={to} state={state}>
        <Phone aria-hidden="true" />
        {t('page.callAgain')}
      </Link>
    </Button>
  );
}
