import { AudioLines, Database, Ear, type LucideIcon, MessageSquareText, Radio } from 'lucide-react';
import { useId, useState } from 'react';
import type {
  EngineCapability,
  EngineInUse,
  FoundServer,
  OwnModels as OwnModelsHere,
} from '#shared/engine-settings';
import { formatAgo, formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/engines';
import { Badge, type BadgeTone } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Card } from '#web/ui/card';
import { Progress } from '#web/ui/progress';
import { useTryEngine } from './api.ts';
import { EngineForm } from './engine-form.tsx';
import { EngineTrials } from './engine-trials.tsx';
import { FoundServers } from './found-servers.tsx';
import { OwnModels } from './own-models.tsx';

const about: Record<EngineCapability, { title: string; does: string; icon: LucideIcon }> = {
  language: { title: t('card.language'), does: t('card.languageDoes'), icon: MessageSquareText },
  ears: { title: t('card.ears'), does: t('card.earsDoes'), icon: Ear },
  voice: { title: t('card.voice'), does: t('card.voiceDoes'), icon: AudioLines },
  rooms: { title: t('card.rooms'), does: t('card.roomsDoes'), icon: Radio },
  storage: { title: t('card.storage'), does: t('card.storageDoes'), icon: Database },
};

const states: Record<EngineInUse['status']['state'], { tone: BadgeTone; says: string }> = {
  ready: { tone: 'positive', says: t('states.ready') },
  fetching: { tone: 'accent', says: t('states.fetching') },
  loading: { tone: 'accent', says: t('states.loading') },
  failed: { tone: 'urgent', says: t('states.failed') },
};

/** One engine: its name, the source of its settings, its status, and buttons to try and change it. */
export function EngineCard({
  engine,
  found,
  own,
}: {
  engine: EngineInUse;
  found: readonly FoundServer[];
  own: OwnModelsHere;
}) {
  const { capability, status, quick, problem, waitsForStart } = engine;
  const { title, does, icon: Icon } = about[capability];
  const [isChanging, setChanging] = useState(false);
  const trial = useTryEngine(capability);
  const id = useId();
  return (
    <Card className="p-4 sm:p-5">
      <section aria-labelledby={id} className="flex flex-col gap-4">
        <div className="flex items-start gap-3">
          <span className="grid size-10 shrink-0 place-items-center rounded-md bg-accent-soft text-accent-text">
            <Icon aria-hidden="true" className="size-5" />
          </span>
          <div className="min-w-0 flex-1">
            <h3 id={id} className="font-semibold text-base tracking-[-0.01em]">
              {title}
            </h3>
            <p className="text-ink-muted text-sm">{does}</p>
          </div>
          <Badge tone={states[status.state].tone}>{states[status.state].says}</Badge>
        </div>
        <dl className="grid grid-cols-2 gap-x-6 gap-y-3 text-sm sm:grid-cols-3">
          <Fact name={t('card.inUse')} value={engine.name} />
          <Fact name={t('card.setBy')} value={whose(engine)} title={whenOf(engine)} />
          {quick && <Fact name={t('card.firstResult')} value={quicknessOf(quick)} />}
        </dl>
        {problem ? (
          <Banner tone="warning">{problem}</Banner>
        ) : (
          status.state !== 'ready' && (
            <Banner tone={status.state === 'failed' ? 'warning' : 'info'}>{status.message}</Banner>
          )
        )}
        {status.progress !== undefined && status.state === 'fetching' && (
          <Progress label={t('card.progress', { engine: title })} value={status.progress} />
        )}
        {waitsForStart && <Banner tone="info">{t('card.waitsForStart')}</Banner>}
        {capability === 'language' && (
          <>
            <FoundServers engine={engine} found={found} />
            <OwnModels engine={engine} own={own} />
          </>
        )}
        {isChanging ? (
          <EngineForm engine={engine} onDone={() => setChanging(false)} />
        ) : (
          <>
            <div className="flex flex-wrap gap-2.5">
              <Button
                variant="secondary"
                size="sm"
                busy={trial.isPending}
                onClick={() => trial.mutate(undefined)}
              >
                {t('card.try')}
              </Button>
              <Button
                variant="secondary"
                size="sm"
                aria-label={t('card.changeNamed', { title })}
                onClick={() => {
                  trial.reset();
                  setChanging(true);
                }}
              >
                {t('card.change')}
              </Button>
            </div>
            <EngineTrials capability={capability} trial={trial} />
          </>
        )}
      </section>
    </Card>
  );
}

function Fact({ name, value, title }: { name: string; value: string; title?: string | undefined }) {
  return (
    <div className="min-w-0">
      <dt className="text-ink-faint text-xs">{name}</dt>
      <dd title={title} className="wrap-anywhere mt-0.5 font-medium">
        {value}
      </dd>
    </div>
  );
}

function whose({ by, saved }: EngineInUse): string {
  if (by === 'usual') return t('setBy.default');
  if (by === 'environment') return t('setBy.environment');
  return saved
    ? t('setBy.ownerWhen', { owner: saved.name ?? t('setBy.formerOwner'), ago: formatAgo(saved.at) })
    : t('setBy.owner');
}

const whenOf = ({ by, saved }: EngineInUse) =>
  by === 'settings' && saved ? formatDateTime(saved.at) : undefined;

const quicknessOf = ({ ms, of }: { ms: number; of: number }) =>
  of > 1 ? t('medianMilliseconds', { ms, of }) : t('milliseconds', { ms });
