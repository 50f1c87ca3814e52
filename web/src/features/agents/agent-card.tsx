import { Building2, EllipsisVertical, History, Pencil, Phone, Trash2 } from 'lucide-react';
import { t } from '#web/texts/agents';
import { Avatar } from '#web/ui/avatar';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import { Skeleton } from '#web/ui/skeleton';
import type { ShownAgent } from './api.ts';

interface AgentCardProps {
  agent: ShownAgent;
  mayChange: boolean;
  menuOpen: boolean;
  onMenu: (open: boolean) => void;
  onCall: () => void;
  onHistory: () => void;
  onEdit: () => void;
  onDelete: () => void;
}

/** One agent with its menu. */
export function AgentCard(props: AgentCardProps) {
  const { agent, mayChange, menuOpen, onMenu, onCall, onHistory, onEdit, onDelete } = props;
  return (
    <article className="flex h-full min-h-59 flex-col rounded-lg border border-line bg-surface p-5 shadow-lift">
      <div className="flex items-start gap-3">
        <Avatar name={agent.name} className="size-10 text-base" />
        <div className="min-w-0 flex-1">
          <h2 dir="auto" className="truncate font-semibold text-lg leading-6 tracking-[-0.01em]">
            {agent.name}
          </h2>
          <p className="flex items-center gap-1.5 text-ink-muted text-sm">
            <Building2 aria-hidden="true" className="size-3.5 shrink-0" />
            <span dir="auto" className="truncate">
              {agent.companyName}
            </span>
          </p>
        </div>
        {mayChange && (
          <DropdownMenu
            open={menuOpen}
            onOpenChange={onMenu}
            trigger={
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t('card.more', { name: agent.name })}
                className="-mt-1 -mr-1.5"
              >
                <EllipsisVertical aria-hidden="true" />
              </Button>
            }
          >
            <DropdownMenuItem onSelect={onEdit}>
              <Pencil aria-hidden="true" />
              {t('card.edit')}
            </DropdownMenuItem>
            <DropdownMenuItem onSelect={onDelete}>
              <Trash2 aria-hidden="true" />
              {t('delete')}
            </DropdownMenuItem>
          </DropdownMenu>
        )}
      </div>
      <p dir="auto" className="wrap-anywhere mt-4 line-clamp-3 text-ink-muted text-sm">
        {agent.personality}
      </p>
      <div className="mt-auto grid grid-cols-2 gap-2.5 pt-5">
        <Button onClick={onCall} className="px-2">
          <Phone aria-hidden="true" />
          {t('card.startCall')}
        </Button>
        <Button variant="secondary" onClick={onHistory} className="px-2">
          <History aria-hidden="true" />
          {t('card.viewHistory')}
        </Button>
      </div>
    </article>
  );
}

export function AgentCardSkeleton() {
  return (
    <div className="flex h-59 flex-col rounded-lg border border-line bg-surface p-5">
      <div className="flex items-center gap-3">
        <Skeleton className="size-10 rounded-full" />
        <div className="flex-1">
          <Skeleton className="h-5 w-1/2" />
          <Skeleton className="mt-2 h-4 w-1/3" />
        </div>
      </div>
      <Skeleton className="mt-5 h-4 w-full" />
      <Skeleton className="mt-2 h-4 w-4/5" />
      <div className="mt-auto grid grid-cols-2 gap-2.5">
        <Skeleton className="h-10 rounded-md" />
        <Skeleton className="h-10 rounded-md" />
      </div>
    </div>
  );
}
