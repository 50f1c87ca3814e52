import { Compass } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#web/texts/app';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { PageTitle } from '#web/ui/page';

export function NotFoundPage() {
  return (
    <div className="grid flex-1 place-items-center">
      <PageTitle>{t('notFound.title')}</PageTitle>
      <EmptyState
        icon={<Compass aria-hidden="true" />}
        level={1}
        title={t('notFound.heading')}
        text={t('notFound.text')}
      >
        <Button asChild>
          <Link to="/">{t('notFound.toStart')}</Link>
        </Button>
      </EmptyState>
    </div>
  );
}
