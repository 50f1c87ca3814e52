import { Link } from 'react-router';
import { ForgotPasswordForm } from '#web/features/accounts/recovery/forgot-password-form';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

export function ForgotPasswordPage() {
  return (
    <EntryLayout
      heading={t('forgot.title')}
      subtitle={t('forgot.subtitle')}
      footer={
        <>
          {t('forgot.remembered')}{' '}
          <Link to="/login" className={linkClasses}>
            {t('signInHere')}
          </Link>
        </>
      }
    >
      <PageTitle>{t('forgot.title')}</PageTitle>
      <ForgotPasswordForm />
    </EntryLayout>
  );
}
