import { ShieldCheck } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/texts/accounts';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { AskPassword } from '../ask-password.tsx';
import { Section } from '../section.tsx';
import { useNewRecoveryCodes, useSecondFactor, useTurnOff } from './api.ts';
import { RecoveryCodes } from './recovery-codes.tsx';
import { SetUp } from './set-up.tsx';

/** The second factor: set up, turn off, and make recovery codes. */
export function SecondFactor() {
  const { data: state, error, refetch } = useSecondFactor();
  const [doing, setDoing] = useState<'set-up' | 'new-codes' | 'turn-off' | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const renewal = useNewRecoveryCodes();
  const turningOff = useTurnOff();
  const stop = () => {
    setDoing(null);
    renewal.reset();
    turningOff.reset();
  };
  const show = (told: string[]) => {
    stop();
    setCodes(told);
  };

  const content = () => {
    if (codes) return <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />;
    if (error && !state)
      return <LoadProblem title={t('secondFactor.loadFailed')} error={error} onRetry={refetch} />;
    if (!state) return <Skeleton className="h-10" />;
    if (doing === 'set-up') return <SetUp onCodes={show} onCancel={stop} />;
    if (doing === 'new-codes')
      return (
        <AskPassword
          confirm={t('secondFactor.newCodes')}
          deciding={{ ...renewal, mutate: (password) => renewal.mutate(password, { onSuccess: show }) }}
          onCancel={stop}
        />
      );
    if (doing === 'turn-off')
      return (
        <AskPassword
          confirm={t('secondFactor.turnOffConfirm')}
          danger
          deciding={{ ...turningOff, mutate: (password) => turningOff.mutate(password, { onSuccess: stop }) }}
          onCancel={stop}
        />
      );
    if (!state.on)
      return (
        <Button variant="secondary" className="self-start" onClick={() => setDoing('set-up')}>
          <ShieldCheck aria-hidden="true" />
          {t('secondFactor.setUp')}
        </Button>
      );
    return (
      <>
        <p className="flex flex-wrap items-center gap-2.5 text-sm">
          <Badge tone="accent">{t('secondFactor.on')}</Badge>
          {t('secondFactor.codesLeft', { count: state.recoveryCodesLeft })}
        </p>
        <div className="flex flex-wrap gap-2.5">
          <Button variant="secondary" onClick={() => setDoing('new-codes')}>
            {t('secondFactor.newRecoveryCodes')}
          </Button>
          {!state.required && (
            <Button variant="secondary" onClick={() => setDoing('turn-off')}>
              {t('secondFactor.turnOff')}
            </Button>
          )}
        </div>
      </>
    );
  };

  return (
    <Section title={t('secondFactor.title')} text={t('secondFactor.text')}>
      {content()}
    </Section>
  );
}
