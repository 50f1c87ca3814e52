import { useId, useState } from 'react';
import type { EngineInUse, OwnModelOffer, OwnModels as OwnModelsHere } from '#shared/engine-settings';
import { formatUnit } from '#web/lib/formats';
import { t } from '#web/texts/engines';
import { Badge } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { toast } from '#web/ui/layers/toast';
import { useChangeEngine } from './api.ts';

/** A model that is silent for this long is skipped: the next engine answers. */
const PATIENCE_MS = 8_000;

/** Open models that the server's own machine can run, each with a button to download and use it. */
export function OwnModels({ engine, own }: { engine: EngineInUse; own: OwnModelsHere }) {
  const setting = engine.fields.find(({ name }) => name === 'LLM_OWN_MODEL');
  const [isOpen, setOpen] = useState(setting?.isSet ?? false);
  const id = useId();
  if (!setting || setting.isFixed || own.models.length === 0) return null;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-line border-t pt-4">
      <div className="flex flex-wrap items-center gap-3">
        <div className="min-w-40 flex-1">
          <h4 id={id} className="font-medium text-sm">
            {t('own.title')}
          </h4>
          <p className="text-ink-muted text-sm">{t('own.text')}</p>
        </div>
        <Button variant="secondary" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? t('own.hide') : t('own.show')}
        </Button>
      </div>
      {isOpen && (
        <>
          <p className="text-ink-muted text-sm">
            {t('own.about', { cores: own.cores, memory: gigabytes(own.memory) })}
          </p>
          {!own.canRun && <Banner tone="warning">{t('own.cannotRun')}</Banner>}
          <ul className="divide-y divide-line rounded-md border border-line">
            {own.models.map((model) => (
              <Offer
                key={model.id}
                model={model}
                isInUse={setting.value === model.id}
                hasRoom={model.memory <= own.memory}
              />
            ))}
          </ul>
          <p className="text-ink-faint text-sm">{t('own.anotherFile')}</p>
        </>
      )}
    </section>
  );
}

interface OfferProps {
  model: OwnModelOffer;
  isInUse: boolean;
  /** Whether the machine has enough memory for it. */
  hasRoom: boolean;
}

function Offer({ model, isInUse, hasRoom }: OfferProps) {
  const { id, name, about, license, isHere } = model;
  const change = useChangeEngine('language');
  const use = (value: string | null, said: string) =>
    change.mutate(
      // The checksum belongs to the previous file.
      { LLM_OWN_MODEL: value, LLM_OWN_SHA256: null },
      { onSuccess: () => toast.success(said), onError: (error) => toast.error(error.message) },
    );
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2.5 p-3.5">
      <div className="min-w-48 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium">{name}</span>
          {isHere && <Badge tone="positive">{t('own.here')}</Badge>}
        </p>
        {about && <p className="mt-0.5 text-ink-muted">{about}</p>}
        <p className="numbers mt-1 text-ink-faint text-xs">
          {[
            t('own.fileSize', { size: gigabytes(model.bytes) }),
            t('own.memory', { size: gigabytes(model.memory) }),
            license,
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="numbers mt-0.5 text-ink-faint text-xs">
          {hasRoom ? expectation(model) : t('own.tooLarge')}
        </p>
      </div>
      {isInUse ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={t('own.stopNamed', { name })}
          busy={change.isPending}
          onClick={() => use(null, t('own.stopped', { name }))}
        >
          {t('own.stop')}
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={t('found.useNamed', { label: name })}
          disabled={!hasRoom}
          busy={change.isPending}
          onClick={() => use(id, isHere ? t('own.loading', { name }) : t('own.fetching', { name }))}
        >
          {t('found.useIt')}
        </Button>
      )}
    </li>
  );
}

function expectation({ expected, about }: OwnModelOffer): string {
  if (!expected) return about ? t('own.graphics') : '';
  const seconds = Math.max(1, Math.round(expected.firstSentenceMs / 1_000));
  return expected.firstSentenceMs > PATIENCE_MS
    ? t('own.tooSlow', { seconds })
    : t('own.quickEnough', {
        seconds,
        words: Math.max(1, Math.round(expected.tokensPerSecond * WORDS_PER_TOKEN)),
      });
}

/** For English. */
const WORDS_PER_TOKEN = 0.75;

const gigabytes = (bytes: number) =>
  bytes < 1e9 ? formatUnit(bytes / 1e6, 'megabyte', 0) : formatUnit(bytes / 1e9, 'gigabyte', 1);
