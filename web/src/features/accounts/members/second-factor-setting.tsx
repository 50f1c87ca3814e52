import { t } from '#web/texts/accounts';
import { Switch } from '#web/ui/forms/switch';
import { LoadProblem } from '#web/ui/load-problem';
import { useSecondFactorSetting, useSettleSecondFactor } from '../second-factor/api.ts';
import { Section } from '../section.tsx';

/** Sets whether every user must have a second factor. */
export function SecondFactorSetting() {
  const { data, error, refetch } = useSecondFactorSetting();
  const settling = useSettleSecondFactor();
  if (error && !data)
    return <LoadProblem title={t('secondFactor.settingLoadFailed')} error={error} onRetry={refetch} />;
  return (
    <Section title={t('secondFactor.title')} text={t('secondFactor.settingText')}>
      <Switch
        label={t('secondFactor.required')}
        hint={t('secondFactor.requiredHint')}
        checked={settling.isPending ? settling.variables : (data?.required ?? false)}
        disabled={!data || settling.isPending}
        onChange={(required) => settling.mutate(required)}
      />
    </Section>
  );
}
