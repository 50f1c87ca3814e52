import { Navigate } from 'react-router';
import { useUser } from '#web/features/accounts/auth';
import { MustSetUp } from '#web/features/accounts/second-factor/must-set-up';
import { t } from '#web/texts/entry';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** The only page for a user who must set up a second factor first. */
export function SecondFactorPage() {
  if (!useUser().mustSetUpSecondFactor) return <Navigate to="/dashboard" replace />;
  return (
    <EntryLayout
      heading={t('secondFactor.title')}
      subtitle={t('secondFactor.subtitle')}
      footer={t('secondFactor.footer')}
    >
      <PageTitle>{t('secondFactor.title')}</PageTitle>
      <MustSetUp />
    </EntryLayout>
  );
}
