import { RefreshCw, TriangleAlert } from 'lucide-react';
import { useEffect } from 'react';
import { useRouteError } from 'react-router';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/app';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { PageTitle } from '#web/ui/page';

/** Replaces a page that crashed, or whose code is gone because a newer version is being served. */
export function CrashScreen() {
  const error = useRouteError();
  useEffect(() => logProblem('A page broke.', error), [error]);
  return (
    <main role="alert" className="grid min-h-dvh place-items-center">
      <PageTitle>{t('crash.title')}</PageTitle>
      <EmptyState
        icon={<TriangleAlert aria-hidden="true" />}
        level={1}
        title={t('crash.heading')}
        text={t('crash.text')}
      >
        <Button onClick={() => window.location.reload()}>
          <RefreshCw aria-hidden="true" />
          {t('crash.reload')}
        </Button>
        <Button asChild variant="secondary">
          <a href="/">{t('crash.toStart')}</a>
        </Button>
      </EmptyState>
    </main>
  );
}
