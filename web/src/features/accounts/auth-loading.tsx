import { t } from '#web/texts/entry';
import { Spinner } from '#web/ui/spinner';

/** Shown while the server checks a stored token. */
export function AuthLoading() {
  return (
    <div role="status" className="flex animate-late items-center justify-center gap-2.5 py-32 text-ink-muted">
      <Spinner />
      {t('loading')}
    </div>
  );
}
