import { GitCompareArrows, History, RotateCcw } from 'lucide-react';
import { useState } from 'react';
import type { AgentVersion } from '#shared/agent-versions';
import { formatDateTime } from '#web/lib/formats';
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
import { Tabs } from '#web/ui/tabs';
import { useRestore, useVersions } from './api.ts';
import { CompareVersions } from './compare-versions.tsx';
import { fieldNames } from './field-names.ts';

interface AgentHistoryProps {
  agentId: string;
  /** Called after an earlier version was restored. */
  onRestored: () => void;
}

/** The versions of an agent: author, changed fields, differences, and restoring. */
export function AgentHistory({ agentId, onRestored }: AgentHistoryProps) {
  const { data, error, isPending, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } =
    useVersions(agentId);
  const restore = useRestore(agentId);
  const [compared, setCompared] = useState<AgentVersion | null>(null);
  const [wanted, setWanted] = useState<AgentVersion | null>(null);
  const versions = data?.pages.flatMap((page) => page.versions) ?? [];
  const newest = versions[0]?.version ?? 0;

  const goBack = ({ version }: AgentVersion) =>
    restore.mutate(version, {
      onSuccess: () => {
        toast.success(t('history.restored', { version }));
        onRestored();
      },
      onError: (problem) => toast.error(problem.message),
    });

  return (
    <Card className="mt-6">
      <CardHeader>
        <div className="min-w-0">
          <CardTitle>{t('history.title')}</CardTitle>
          <p className="mt-1 text-ink-muted text-sm">{t('history.text')}</p>
        </div>
      </CardHeader>
      {isPending && (
        <div role="status" aria-label={t('history.loading')} className="flex flex-col gap-3 p-6">
          <Skeleton className="h-12 rounded-md" />
          <Skeleton className="h-12 rounded-md" />
        </div>
      )}
      {error && !data && (
        <LoadProblem title={t('history.loadFailed')} error={error} onRetry={() => void refetch()} />
      )}
      {data && versions.length === 0 && (
        <EmptyState
          icon={<History aria-hidden="true" />}
          title={t('history.empty')}
          text={t('history.emptyText')}
        />
      )}
      {versions.length > 0 && (
        <ol
          reversed
          start={newest}
          aria-label={t('history.list')}
          className="mt-3 flex flex-col divide-y divide-line border-line border-t"
        >
          {versions.map((version) => (
            <li
              key={version.version}
              className="flex flex-wrap items-center gap-x-4 gap-y-2.5 px-5 py-3.5 sm:px-6"
            >
              <div className="min-w-0 flex-1 basis-60">
                <p className="flex flex-wrap items-center gap-2 font-medium">
                  {t('history.version', { version: version.version })}
                  {version.version === newest && <Badge tone="accent">{t('history.now')}</Badge>}
                </p>
                <p className="wrap-anywhere mt-0.5 text-ink-muted text-sm">{whatHappened(version)}</p>
                <p className="numbers wrap-anywhere mt-0.5 text-ink-faint text-sm">
                  <bdi>{version.by.name}</bdi>
                  {' · '}
                  <time dateTime={version.createdAt}>{formatDateTime(version.createdAt)}</time>
                </p>
              </div>
              <div className="flex gap-1">
                {newest > 1 && (
                  <Button
                    variant="secondary"
                    size="sm"
                    aria-label={t('history.compareVersion', { version: version.version })}
                    onClick={() => setCompared(version)}
                  >
                    <GitCompareArrows aria-hidden="true" />
                    {t('history.compare')}
                  </Button>
                )}
                {version.version !== newest && (
                  <Button
                    variant="ghost"
                    size="sm"
                    aria-label={t('history.goBackTo', { version: version.version })}
                    busy={restore.isPending && restore.variables === version.version}
                    onClick={() => setWanted(version)}
                  >
                    <RotateCcw aria-hidden="true" />
                    {t('history.goBack')}
                  </Button>
                )}
              </div>
            </li>
          ))}
        </ol>
      )}
      {hasNextPage && (
        <div className="border-line border-t px-5 py-3 sm:px-6">
          <Button variant="ghost" size="sm" busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            {t('history.more')}
          </Button>
        </div>
      )}
      <Dialog
        open={compared !== null}
        onOpenChange={(open) => !open && setCompared(null)}
        title={compared ? t('history.version', { version: compared.version }) : ''}
        size="widest"
      >
        {compared && <Comparison agentId={agentId} version={compared.version} newest={newest} />}
      </Dialog>
      <AlertDialog
        open={wanted !== null}
        onOpenChange={(open) => !open && setWanted(null)}
        question={wanted ? t('history.goBackQuestion', { version: wanted.version }) : ''}
        detail={t('history.goBackDetail')}
        confirm={t('history.goBack')}
        tone="primary"
        onConfirm={() => wanted && goBack(wanted)}
      />
    </Card>
  );
}

function whatHappened({ version, changed, restoredFrom }: AgentVersion): string {
  if (restoredFrom !== undefined) return t('history.wentBack', { version: restoredFrom });
  if (changed.length > 0)
    return t('history.changed', {
      fields: fieldNames.flatMap(({ field, name }) => (changed.includes(field) ? name : [])).join(', '),
    });
  return version === 1 ? t('history.first') : t('history.saved');
}

interface ComparisonProps {
  agentId: string;
  version: number;
  newest: number;
}

function Comparison({ agentId, version, newest }: ComparisonProps) {
  const ways = [
    ...(version > 1
      ? [{ value: 'made', label: t('history.itsChanges'), before: version - 1, after: version }]
      : []),
    ...(version < newest
      ? [{ value: 'now', label: t('history.changesSince'), before: version, after: newest }]
      : []),
  ];
  const [way, setWay] = useState(ways[0]?.value ?? 'made');
  return (
    <div className="-mx-1 mt-3 min-h-0 overflow-y-auto overscroll-contain px-1 pb-1">
      <Tabs
        label={t('history.comparedWith')}
        value={way}
        onChange={setWay}
        tabs={ways.map(({ value, label, before, after }) => ({
          value,
          label,
          content: <CompareVersions agentId={agentId} before={before} after={after} />,
        }))}
      />
    </div>
  );
}
