import { t } from '#web/texts/engines';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useEngines } from './api.ts';
import { EngineCard } from './engine-card.tsx';

/** The engines of this server, for owners. */
export function Engines() {
  const { data, error, refetch } = useEngines();
  if (error && !data) return <LoadProblem title={t('loadFailed')} error={error} onRetry={refetch} />;
  return (
    <div aria-busy={!data || undefined} className="flex flex-col gap-4">
      <p className="text-ink-muted text-sm">{t('text')}</p>
      {data
        ? data.engines.map((engine) => (
            <EngineCard key={engine.capability} engine={engine} found={data.found} own={data.own} />
          ))
        : ['language', 'ears', 'voice'].map((name) => <Skeleton key={name} className="h-32 rounded-lg" />)}
    </div>
  );
}
