import { t } from '#web/texts/accounts';
import { RadioGroup } from '#web/ui/forms/radio-group';
import { LoadProblem } from '#web/ui/load-problem';
import { Section } from '../section.tsx';
import { useRegistrationMode, useSettleRegistration } from './api.ts';

/** Sets who may make an account. */
export function Registration() {
  const { data, error, refetch } = useRegistrationMode();
  const settling = useSettleRegistration();
  if (error && !data)
    return <LoadProblem title={t('registration.loadFailed')} error={error} onRetry={refetch} />;
  return (
    <Section title={t('registration.title')} text={t('registration.text')}>
      <RadioGroup
        label={t('registration.label')}
        value={settling.isPending ? settling.variables : (data?.mode ?? 'open')}
        disabled={!data}
        onChange={(mode) => settling.mutate(mode)}
        choices={[
          { value: 'open', label: t('registration.everybody'), hint: t('registration.everybodyHint') },
          {
            value: 'invitation',
            label: t('registration.invitation'),
            hint: t('registration.invitationHint'),
          },
          { value: 'closed', label: t('registration.nobody'), hint: t('registration.nobodyHint') },
        ]}
      />
    </Section>
  );
}
