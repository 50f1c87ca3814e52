import { Plus } from 'lucide-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { AgentList } from '#web/features/agents/agent-list';
import type { ShownAgent } from '#web/features/agents/api';
import { CreateAgent } from '#web/features/agents/editor/create-agent';
import { agentPath, agentState } from '#web/lib/agent-in-state';
import { Button } from '#web/ui/button';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';
import { Tabs } from '#web/ui/tabs';

/** The user's agents; the tab stands in the address, so that a reload and the way back find it. */
export function AgentsPage() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const tab = query.get('tab') === 'create' ? 'create' : 'view';
  const open = (page: 'calls' | 'history') => (agent: ShownAgent) =>
    navigate(agentPath(page, agent.name), { state: agentState(agent) });

  return (
    <PageColumn>
      <PageTitle>AI Agents</PageTitle>
      <PageHeader title="AI Agents" text="Agents of your own, answering from what you tell them.">
        <Button asChild>
          <Link to="/agents/create">
            <Plus aria-hidden="true" />
            Create New Agent
          </Link>
        </Button>
      </PageHeader>
      <div className="mt-6">
        <Tabs
          label="Agents"
          value={tab}
          onChange={(next) => setQuery(next === 'create' ? { tab: next } : {})}
          tabs={[
            {
              value: 'view',
              label: 'View Agents',
              content: (
                <AgentList
                  onCreate={() => navigate('/agents/create')}
                  onEdit={(agent) => navigate(`/agents/edit/${encodeURIComponent(agent._id)}`)}
                  onCall={open('calls')}
                  onHistory={open('history')}
                />
              ),
            },
            {
              value: 'create',
              label: 'Create Agent',
              content: (
                <CreateAgent onCreated={() => navigate('/agents')} onCancel={() => navigate('/agents')} />
              ),
            },
          ]}
        />
      </div>
    </PageColumn>
  );
}
