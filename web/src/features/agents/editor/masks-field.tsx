import { type UseFormReturn, useWatch } from 'react-hook-form';
import { DEFAULT_MASKS, type Mask, maskSchema } from '#shared/agents';
import { t } from '#web/texts/agents';
import { Switch } from '#web/ui/forms/switch';
import type { AgentFormValues } from './agent-form-values.ts';

const words: Record<Mask, { label: string; hint: string }> = {
  payment: { label: t('masks.cards'), hint: t('masks.cardsHint') },
  'national-id': {
    label: t('masks.ids'),
    hint: t('masks.idsHint'),
  },
  email: { label: t('masks.emails'), hint: t('masks.emailsHint') },
  phone: { label: t('masks.phones'), hint: t('masks.phonesHint') },
};

/** Chooses the data that is neither stored nor read by any model. */
export function MasksField({ form }: { form: UseFormReturn<AgentFormValues> }) {
  const masks = useWatch({ control: form.control, name: 'masks' }) ?? DEFAULT_MASKS;
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">{t('masks.title')}</legend>
      <p className="mt-0.5 text-ink-muted text-sm">{t('masks.text')}</p>
      <div className="mt-4 flex flex-col gap-4">
        {maskSchema.options.map((mask) => (
          <Switch
            key={mask}
            label={words[mask].label}
            hint={words[mask].hint}
            checked={masks.includes(mask)}
            onChange={(isMasked) => {
              const others = masks.filter((other) => other !== mask);
              form.setValue('masks', isMasked ? [...others, mask] : others, { shouldDirty: true });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
