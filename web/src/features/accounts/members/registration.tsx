import { RadioGroup } from '#web/ui/forms/radio-group';
import { LoadProblem } from '#web/ui/load-problem';
import { Section } from '../section.tsx';
import { useRegistrationMode, useSettleRegistration } from './api.ts';

/** Who may make an account, besides those who have one. */
export function Registration() {
  const { data, error, refetch } = useRegistrationMode();
  const settling = useSettleRegistration();
  if (error && !data)
    return (
      <LoadProblem title="The registration setting could not be loaded." error={error} onRetry={refetch} />
    );
  return (
    <Section title="Registration" text="It holds at once. Accounts that are there stay.">
      <RadioGroup
        label="Who may make an account"
        value={settling.isPending ? settling.variables : (data?.mode ?? 'open')}
        disabled={!data}
        onChange={(mode) => settling.mutate(mode)}
        choices={[
          { value: 'open', label: 'Everybody', hint: 'Whoever can open this page.' },
          { value: 'invitation', label: 'By invitation', hint: 'Only with a link from an owner.' },
          { value: 'closed', label: 'Nobody', hint: 'Links that are open do not work either.' },
        ]}
      />
    </Section>
  );
}
