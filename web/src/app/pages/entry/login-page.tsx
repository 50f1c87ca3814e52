import { Link } from 'react-router';
import { LoginForm } from '#web/features/accounts/login-form';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

export function LoginPage() {
  return (
    <EntryLayout
      heading={t('login.heading')}
      subtitle={t('login.subtitle')}
      footer={
        <>
          {t('login.noAccount')}{' '}
          <Link to="/register" className={linkClasses}>
            {t('login.createOne')}
          </Link>
        </>
      }
    >
      <PageTitle>{t('login.title')}</PageTitle>
      <LoginForm />
    </EntryLayout>
  );
}
