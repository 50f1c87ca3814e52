import { Bot, CloudOff, Plus, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { AgentCard, AgentCardSkeleton } from './agent-card.tsx';
import { type ShownAgent, useAgents, useDeleteAgent } from './api.ts';

interface AgentListProps {
  onCreate: () => void;
  onEdit: (agent: ShownAgent) => void;
  onCall: (agent: ShownAgent) => void;
  onHistory: (agent: ShownAgent) => void;
}

/** All agents of the user. One card's menu is open at a time. */
export function AgentList({ onCreate, onEdit, onCall, onHistory }: AgentListProps) {
  const list = useAgents();
  const deleteAgent = useDeleteAgent();
  const [menuOf, setMenuOf] = useState<string | null>(null);
  const [condemned, setCondemned] = useState<ShownAgent | null>(null);
  const [asking, setAsking] = useState(false);

  if (list.isPending)
    return (
      <div role="status" aria-label="Loading agents" className={gridClasses}>
        {['a', 'b', 'c'].map((key) => (
          <AgentCardSkeleton key={key} />
        ))}
      </div>
    );
  // What went wrong is logged only; a quiet way on stays.
  if (!list.data)
    return (
      <EmptyState icon={<CloudOff aria-hidden="true" />} title="Your agents are not here right now">
        <Button variant="secondary" busy={list.isFetching} onClick={() => void list.refetch()}>
          <RefreshCw aria-hidden="true" />
          Try again
        </Button>
      </EmptyState>
    );
  if (list.data.length === 0)
    return (
      <EmptyState
        icon={<Bot aria-hidden="true" />}
        title="No agents created yet"
        text="An agent answers your customers from what you tell it about your company. A filled example makes it a matter of a minute."
      >
        <Button onClick={onCreate}>
          <Plus aria-hidden="true" />
          Create Your First Agent
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
              menuOpen={menuOf === agent._id}
              // The menu that closes may say so after the next one has opened.
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
        question="Are you sure you want to delete this agent?"
        detail={
          condemned && `${condemned.name} of ${condemned.companyName}. Its past conversations are kept.`
        }
        confirm="Delete Agent"
        onConfirm={() => condemned && deleteAgent.mutate(condemned._id)}
      />
    </>
  );
}

const gridClasses = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';
