import { Bot, CloudOff, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/texts/agents';
import { t as common } from '#web/texts/common';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { AgentCard, AgentCardSkeleton } from './agent-card.tsx';
import { type ShownAgent, useAgents, useDeleteAgent } from './api.ts';

interface AgentListProps {
  /** Whether the user may create, change and delete agents, or only call them. */
  mayChange: boolean;
  onCreate: () => void;
  onEdit: (agent: ShownAgent) => void;
  onCall: (agent: ShownAgent) => void;
  onHistory: (agent: ShownAgent) => void;
}

/** All agents of the workspace. Only one card's menu is open at a time. */
export function AgentList({ mayChange, onCreate, onEdit, onCall, onHistory }: AgentListProps) {
  const list = useAgents();
  const deleteAgent = useDeleteAgent();
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const [condemned, setCondemned] = useState<ShownAgent | null>(null);
  const [asking, setAsking] = useState(false);

  if (list.isPending)
    return (
      <div role="status" aria-label={t('list.loading')} className={gridClasses}>
        {['a', 'b', 'c'].map((key) => (
          <AgentCardSkeleton key={key} />
        ))}
      </div>
    );
  // Errors are only logged; a link back remains.
  if (!list.data)
    return (
      <EmptyState icon={<CloudOff aria-hidden="true" />} title={t('list.loadFailed')}>
        <Button variant="secondary" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden="true" />
          {common('tryAgain')}
        </Button>
      </EmptyState>
    );
  if (list.data.length === 0 && !mayChange)
    return (
      <EmptyState
        icon={<Bot aria-hidden="true" />}
        title={t('list.empty')}
        text={t('list.emptyForMembers')}
      />
    );
  if (list.data.length === 0)
    return (
      <EmptyState icon={<Bot aria-hidden="true" />} title={t('list.empty')} text={t('list.emptyText')}>
        <Button onClick={onCreate}>
          <Plus aria-hidden="true" />
          {t('list.createFirst')}
        </Button>
      </EmptyState>
    );
  return (
    <>
      <ul className={gridClasses}>
        {list.data.map((agent) => (
          <li key={agent._id}>
            <AgentCard
              agent={agent}
              mayChange={mayChange}
              menuOpen={menuOf === agent._id}
              // A closing menu may report it after the next one has opened.
              onMenu={(open) =>
                setMenuOf((current) => (open ? agent._id : current === agent._id ? null : current))
              }
              onCall={() => onCall(agent)}
              onHistory={() => onHistory(agent)}
              onEdit={() => onEdit(agent)}
              onDelete={() => {
                setCondemned(agent);
                setAsking(true);
              }}
            />
          </li>
        ))}
      </ul>
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question={t('list.deleteQuestion')}
        detail={condemned && t('list.deleteDetail', { name: condemned.name, company: condemned.companyName })}
        confirm={t('delete')}
        onConfirm={() => condemned && deleteAgent.mutate(condemned._id)}
      />
    </>
  );
}

const gridClasses = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';
