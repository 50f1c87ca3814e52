import { useEffect, useState } from 'react';
import { formatClock } from '#web/lib/formats';
import { t } from '#web/texts/common';

/** Duration of the call, counting until `running` is false. */
export function CallClock({ since, running }: { since: string | null; running: boolean }) {
  const [now, setNow] = useState(() => Date.now());
  useEffect(() => {
    if (!running) return;
    setNow(Date.now());
    const timer = setInterval(() => setNow(Date.now()), 1_000);
    return () => clearInterval(timer);
  }, [running]);
  const started = since ? Date.parse(since) : Number.NaN;
  return (
    <span role="timer" aria-label={t('callLength')} className="numbers text-ink-muted text-sm">
      {formatClock((now - started) / 1_000)}
    </span>
  );
}
