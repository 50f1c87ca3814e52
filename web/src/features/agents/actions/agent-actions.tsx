import { Pencil, Play, Plus, Trash2, Zap } from 'lucide-react';
import { useState } from 'react';
import type { Action } from '#shared/actions';
import { t } from '#web/texts/agents';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { Card, CardHeader, CardTitle } from '#web/ui/card';
import { EmptyState } from '#web/ui/empty-state';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { Dialog } from '#web/ui/layers/dialog';
import { toast } from '#web/ui/layers/toast';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { ActionForm } from './action-form.tsx';
import { type ActionFormValues, noAction, valuesOf } from './action-form-values.ts';
import { useActions, useDeleteAction } from './api.ts';
import { ToolServer } from './tool-server.tsx';
import { TryAction } from './try-action.tsx';

type Open =
  | { what: 'form'; id: string | null; start: ActionFormValues }
  | { what: 'try'; action: Action }
  | { what: 'tools' }
  | null;

/** An agent's actions in the business's own systems: the list, a form, a trial, and servers of tools. */
export function AgentActions({ agentId }: { agentId: string }) {
  const { data, error, isPending, refetch } = useActions(agentId);
  const deleteAction = useDeleteAction(agentId);
  const [open, setOpen] = useState<Open>(null);
  const [doomed, setDoomed] = useState<Action | null>(null);
  const close = () => setOpen(null);
  const create = () => setOpen({ what: 'form', id: null, start: noAction });

  return (
    <Card className="mt-6">
      <CardHeader className="flex-wrap">
        <div className="min-w-0">
          <CardTitle>{t('actions.title')}</CardTitle>
          <p className="mt-1 text-ink-muted text-sm">{t('actions.text')}</p>
        </div>
        <div className="flex flex-wrap gap-2.5">
          <Button variant="secondary" size="sm" onClick={() => setOpen({ what: 'tools' })}>
            {t('actions.fromServer')}
          </Button>
          <Button size="sm" onClick={create}>
            <Plus aria-hidden="true" />
            {t('actions.add')}
          </Button>
        </div>
      </CardHeader>
      {isPending && (
        <div role="status" aria-label={t('actions.loading')} className="p-6">
          <Skeleton className="h-16 rounded-md" />
        </div>
      )}
      {error && !data && (
        <LoadProblem title={t('actions.loadFailed')} error={error} onRetry={() => void refetch()} />
      )}
      {data?.length === 0 && (
        <EmptyState
          icon={<Zap aria-hidden="true" />}
          title={t('actions.empty')}
          text={t('actions.emptyText')}
        />
      )}
      {data && data.length > 0 && (
        <ul
          aria-label={t('actions.title')}
          className="mt-3 flex flex-col divide-y divide-line border-line border-t"
        >
          {data.map((action) => (
            <li key={action._id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3.5 sm:px-6">
              <div className="min-w-0 flex-1 basis-60">
                <p className="wrap-anywhere flex flex-wrap items-center gap-2 font-medium">
                  {action.name}
                  {action.confirm && <Badge tone="accent">{t('actions.asksFirst')}</Badge>}
                </p>
                <p className="wrap-anywhere mt-0.5 text-ink-muted text-sm">
                  {action.method} {action.tool ?? action.url}
                </p>
                {action.problem && <p className="mt-0.5 text-sm text-urgent-text">{action.problem}</p>}
              </div>
              <div className="flex gap-1">
                <Button
                  variant="secondary"
                  size="sm"
                  aria-label={t('actions.tryNamed', { name: action.name })}
                  onClick={() => setOpen({ what: 'try', action })}
                >
                  <Play aria-hidden="true" />
                  {t('actions.try')}
                </Button>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t('actions.editNamed', { name: action.name })}
                  onClick={() => setOpen({ what: 'form', id: action._id, start: valuesOf(action) })}
                >
                  <Pencil aria-hidden="true" />
                </Button>
                <Button
                  variant="ghost"
                  size="icon-sm"
                  aria-label={t('actions.deleteNamed', { name: action.name })}
                  onClick={() => setDoomed(action)}
                >
                  <Trash2 aria-hidden="true" />
                </Button>
              </div>
            </li>
          ))}
        </ul>
      )}
      <Dialog open={open !== null} onOpenChange={close} size="wide" title={titleOf(open)}>
        {open?.what === 'form' && (
          <ActionForm
            agentId={agentId}
            id={open.id}
            start={open.start}
            onSaved={() => {
              toast.success(t('actions.saved'));
              close();
            }}
            onCancel={close}
          />
        )}
        {open?.what === 'try' && <TryAction agentId={agentId} action={open.action} />}
        {open?.what === 'tools' && (
          <ToolServer agentId={agentId} onPick={(start) => setOpen({ what: 'form', id: null, start })} />
        )}
      </Dialog>
      <AlertDialog
        open={doomed !== null}
        onOpenChange={() => setDoomed(null)}
        question={t('actions.deleteQuestion', { name: doomed?.name ?? '' })}
        detail={t('actions.deleteDetail')}
        confirm={t('actions.delete')}
        onConfirm={() => {
          if (doomed)
            deleteAction.mutate(doomed, {
              onError: ({ message }) => toast.error(t('actions.deleteFailed', { reason: message })),
            });
          setDoomed(null);
        }}
      />
    </Card>
  );
}

function titleOf(open: Open): string {
  if (open?.what === 'try') return t('actions.tryTitle', { name: open.action.name });
  if (open?.what === 'tools') return t('actions.serverTitle');
  return open?.what === 'form' && open.id !== null ? t('actions.editTitle') : t('actions.newTitle');
}
