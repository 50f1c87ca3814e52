import { Switch } from '#web/ui/forms/switch';
import { LoadProblem } from '#web/ui/load-problem';
import { useSecondFactorSetting, useSettleSecondFactor } from '../second-factor/api.ts';
import { Section } from '../section.tsx';

/** Whether everybody must have a second factor. */
export function SecondFactorSetting() {
  const { data, error, refetch } = useSecondFactorSetting();
  const settling = useSettleSecondFactor();
  if (error && !data)
    return (
      <LoadProblem title="The second-factor setting could not be loaded." error={error} onRetry={refetch} />
    );
  return (
    <Section title="Second factor" text="A code of an app, besides the password.">
      <Switch
        label="Everybody needs one"
        hint="Who has none is signed out, and sets it up at the next sign-in. Set up your own first."
        checked={settling.isPending ? settling.variables : (data?.required ?? false)}
        disabled={!data || settling.isPending}
        onChange={(required) => settling.mutate(required)}
      />
    </Section>
  );
}
