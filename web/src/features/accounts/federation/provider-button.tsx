import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { accountRequests } from '../requests.ts';
import { keepAttempt } from './attempt.ts';

/** Signs in at the identity provider of this installation. @param goTo opens its page */
export function ProviderButton({
  provider,
  goTo = (address) => window.location.assign(address),
}: {
  provider: string;
  goTo?: (address: string) => void;
}) {
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const begin = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const { address, attempt } = await (await accountRequests()).beginAtProvider();
      keepAttempt(attempt);
      goTo(address);
    } catch (error) {
      setProblem(error instanceof Error ? error.message : t('provider.startFailed'));
      setBusy(false);
    }
  };
  return (
    <div className="mt-6 flex flex-col gap-5">
      <p className="flex items-center gap-4 text-ink-faint text-sm before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {t('provider.or')}
      </p>
      {problem && (
        <Banner tone="error" role="alert">
          {problem}
        </Banner>
      )}
      <Button variant="secondary" size="lg" busy={busy} className="w-full" onClick={begin}>
        {!busy && <KeyRound aria-hidden="true" />}
        <span className="truncate">{t('provider.continue', { provider })}</span>
      </Button>
    </div>
  );
}
