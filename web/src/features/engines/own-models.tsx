import { useId, useState } from 'react';
import type { EngineInUse, OwnModelOffer, OwnModels as OwnModelsHere } from '#shared/engine-settings';
import { Badge } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { toast } from '#web/ui/layers/toast';
import { useChangeEngine } from './api.ts';

/** A model that says nothing for so long is not waited for: the next engine answers. */
const PATIENCE_MS = 8_000;

/** Open models that the server's own machine may run, each with one press to fetch and use it. */
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
            A model on this machine
          </h4>
          <p className="text-ink-muted text-sm">Nothing that it is told leaves the machine.</p>
        </div>
        <Button variant="secondary" size="sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide models' : 'Show models'}
        </Button>
      </div>
      {isOpen && (
        <>
          <p className="text-ink-muted text-sm">
            Open models, run by llama.cpp. Both are fetched once, from huggingface.co and github.com, which
            needs the internet. This machine has {own.cores} {own.cores === 1 ? 'core' : 'cores'} and{' '}
            {gigabytes(own.memory)} of memory; how quick a model will be is estimated from that.
          </p>
          {!own.canRun && (
            <Banner tone="warning">
              llama.cpp is not built for this platform: whoever runs the server can name a llama-server
              (LLM_OWN_SERVER).
            </Banner>
          )}
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
          <p className="text-ink-faint text-sm">
            Another GGUF file: put it into the folder “language” of MODELS_DIR, or press Change and name its
            address.
          </p>
        </>
      )}
    </section>
  );
}

interface OfferProps {
  model: OwnModelOffer;
  isInUse: boolean;
  /** The machine has the memory that it needs. */
  hasRoom: boolean;
}

function Offer({ model, isInUse, hasRoom }: OfferProps) {
  const { id, name, about, license, isHere } = model;
  const change = useChangeEngine('language');
  const use = (value: string | null, said: string) =>
    change.mutate(
      // The checksum belongs to the file before.
      { LLM_OWN_MODEL: value, LLM_OWN_SHA256: null },
      { onSuccess: () => toast.success(said), onError: (error) => toast.error(error.message) },
    );
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2.5 p-3.5">
      <div className="min-w-48 flex-1 text-sm">
        <p className="flex flex-wrap items-center gap-2">
          <span className="wrap-anywhere font-medium">{name}</span>
          {isHere && <Badge tone="positive">Here</Badge>}
        </p>
        {about && <p className="mt-0.5 text-ink-muted">{about}</p>}
        <p className="numbers mt-1 text-ink-faint text-xs">
          {[`${gigabytes(model.bytes)} file`, `${gigabytes(model.memory)} of memory`, license]
            .filter(Boolean)
            .join(' · ')}
        </p>
        <p className="numbers mt-0.5 text-ink-faint text-xs">
          {hasRoom ? expectation(model) : 'Needs more memory than this machine has.'}
        </p>
      </div>
      {isInUse ? (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Stop using ${name}`}
          busy={change.isPending}
          onClick={() => use(null, `${name} is not used any more. Its file stays.`)}
        >
          Stop using it
        </Button>
      ) : (
        <Button
          variant="secondary"
          size="sm"
          aria-label={`Use ${name}`}
          disabled={!hasRoom}
          busy={change.isPending}
          onClick={() =>
            use(
              id,
              isHere
                ? `${name} is being loaded. The next engine answers meanwhile.`
                : `${name} is being fetched. The next engine answers meanwhile.`,
            )
          }
        >
          Use it
        </Button>
      )}
    </li>
  );
}

function expectation({ expected, about }: OwnModelOffer): string {
  if (!expected) return about ? 'Computes on this machine’s graphics, which is quicker than its cores.' : '';
  const seconds = Math.max(1, Math.round(expected.firstSentenceMs / 1_000));
  const first = `First sentence after about ${seconds} s`;
  return expected.firstSentenceMs > PATIENCE_MS
    ? `${first}: too slow for calls here, so the next engine will often answer.`
    : `${first}, then about ${Math.max(1, Math.round(expected.tokensPerSecond * WORDS_PER_TOKEN))} words a second.`;
}

/** Of English. */
const WORDS_PER_TOKEN = 0.75;

const gigabytes = (bytes: number) =>
  bytes < 1e9 ? `${Math.round(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;
