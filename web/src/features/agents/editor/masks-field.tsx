import { type UseFormReturn, useWatch } from 'react-hook-form';
import { DEFAULT_MASKS, type Mask, maskSchema } from '#shared/agents';
import { Switch } from '#web/ui/forms/switch';
import type { AgentFormValues } from './agent-form-values.ts';

const words: Record<Mask, { label: string; hint: string }> = {
  payment: { label: 'Card and account numbers', hint: 'Credit cards and IBANs.' },
  'national-id': {
    label: 'National ID numbers',
    hint: 'Of the United States, the United Kingdom, Spain, France and Italy.',
  },
  email: { label: 'E-mail addresses', hint: 'Colleagues can then not write to a customer who asks for it.' },
  phone: { label: 'Telephone numbers', hint: 'Colleagues can then not call back.' },
};

/** What is to be neither kept nor read by any model. */
export function MasksField({ form }: { form: UseFormReturn<AgentFormValues> }) {
  const masks = useWatch({ control: form.control, name: 'masks' }) ?? DEFAULT_MASKS;
  return (
    <fieldset>
      <legend className="font-medium text-ink text-sm">Leave out of what customers say</legend>
      <p className="mt-0.5 text-ink-muted text-sm">
        It is neither stored nor shown to any model, and the sound of such a message is not kept.
      </p>
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
