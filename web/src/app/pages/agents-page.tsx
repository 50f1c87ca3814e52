import { Plus } from 'lucide-react';
import { Link, useNavigate, useSearchParams } from 'react-router';
import { mayChangeAgents, useUser } from '#web/features/accounts/auth';
import { AgentList } from '#web/features/agents/agent-list';
import type { ShownAgent } from '#web/features/agents/api';
import { CreateAgent } from '#web/features/agents/editor/create-agent';
import { agentPath, agentState } from '#web/lib/agent-in-state';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';
import { Tabs } from '#web/ui/tabs';

/** The user's agents; the address holds the tab, so that a reload and Back find it. */
export function AgentsPage() {
  const navigate = useNavigate();
  const [query, setQuery] = useSearchParams();
  const mayChange = mayChangeAgents(useUser());
  const tab = mayChange && query.get('tab') === 'create' ? 'create' : 'view';
  const open = (page: 'calls' | 'history') => (agent: ShownAgent) =>
    navigate(agentPath(page, agent.name), { state: agentState(agent) });

  const list = (
    <AgentList
      mayChange={mayChange}
      onCreate={() => navigate('/agents/create')}
      onEdit={(agent) => navigate(`/agents/edit/${encodeURIComponent(agent._id)}`)}
      onCall={open('calls')}
      onHistory={open('history')}
    />
  );

  if (!mayChange)
    return (
      <PageColumn>
        <PageTitle>{t('page.title')}</PageTitle>
        <PageHeader title={t('page.title')} text={t('page.textForMembers')} />
        <div className="mt-6">{list}</div>
      </PageColumn>
    );
  return (
    <PageColumn>
      <PageTitle>{t('page.title')}</PageTitle>
      <PageHeader title={t('page.title')} text={t('page.text')}>
        <Button asChild>
          <Link to="/agents/create">
            <Plus aria-hidden="true" />
            {t('page.createNew')}
          </Link>
        </Button>
      </PageHeader>
      <div className="mt-6">
        <Tabs
          label={t('page.tabs')}
          value={tab}
          onChange={(next) => setQuery(next === 'create' ? { tab: next } : {})}
          tabs={[
            {
              value: 'view',
              label: t('page.view'),
              content: list,
            },
            {
              value: 'create',
              label: t('page.create'),
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
