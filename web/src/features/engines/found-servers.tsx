import { useId, useState } from 'react';
import type { EngineInUse, FoundServer } from '#shared/engine-settings';
import { t } from '#web/texts/engines';
import { Button } from '#web/ui/button';
import { Select } from '#web/ui/forms/select';
import { toast } from '#web/ui/layers/toast';
import { useChangeEngine } from './api.ts';

/** Language servers found on the server's machine, each with a button to use it. */
export function FoundServers({ engine, found }: { engine: EngineInUse; found: readonly FoundServer[] }) {
  const address = engine.fields.find(({ name }) => name === 'LLM_BASE_URL');
  const isFixed = engine.fields.some(
    ({ name, isFixed }) => isFixed && /^LLM_(?:BASE_URL|MODEL|API_KEY)$/.test(name),
  );
  const offers = found.filter(({ baseUrl }) => baseUrl !== address?.value);
  if (isFixed || offers.length === 0) return null;
  const hasOwn = engine.fields.some(
    ({ name, isSet, isFixed }) => name === 'LLM_OWN_MODEL' && isSet && !isFixed,
  );
  return (
    <ul aria-label={t('found.list')} className="flex flex-col gap-2.5">
      {offers.map((server) => (
        <Offer key={server.baseUrl} server={server} hasOwn={hasOwn} />
      ))}
    </ul>
  );
}

function Offer({ server: { label, baseUrl, models }, hasOwn }: { server: FoundServer; hasOwn: boolean }) {
  const [model, setModel] = useState(models[0] ?? '');
  const change = useChangeEngine('language');
  const id = useId();
  return (
    <li className="flex flex-wrap items-center gap-3 rounded-md border border-accent-line bg-accent-soft p-3.5">
      <p className="min-w-40 flex-1 text-accent-text text-sm">
        {t.rich('found.offer', { label, server: (text) => <span className="font-medium">{text}</span> })}
      </p>
      <label htmlFor={id} className="sr-only">
        {t('found.model', { label })}
      </label>
      <Select
        id={id}
        value={model}
        onChange={({ target }) => setModel(target.value)}
        className="min-w-0 max-sm:w-full sm:max-w-56"
      >
        {models.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </Select>
      <Button
        size="sm"
        aria-label={t('found.useNamed', { label })}
        busy={change.isPending}
        onClick={() =>
          // Its own machine needs no key, and must not get another server's.
          change.mutate(
            {
              LLM_BASE_URL: baseUrl,
              LLM_MODEL: model,
              LLM_API_KEY: null,
              // Otherwise the own model would keep answering first.
              ...(hasOwn ? { LLM_OWN_MODEL: null } : {}),
            },
            {
              onSuccess: () => toast.success(t('found.inUse', { label })),
              onError: (error) => toast.error(error.message),
            },
          )
        }
      >
        {t('found.useIt')}
      </Button>
    </li>
  );
}
