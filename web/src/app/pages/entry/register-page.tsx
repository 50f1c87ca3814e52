import { Link, useLocation } from 'react-router';
import { readInvitation } from '#web/features/accounts/invited';
import { RegisterForm } from '#web/features/accounts/register-form';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

export function RegisterPage() {
  const invited = readInvitation(useLocation().hash);
  return (
    <EntryLayout
      heading={t('register.heading')}
      subtitle={invited ? t('register.invited') : t('register.subtitle')}
      footer={
        <>
          {t('register.haveAccount')}{' '}
          <Link to="/login" className={linkClasses}>
            {t('signInHere')}
          </Link>
        </>
      }
    >
      <PageTitle>{t('register.title')}</PageTitle>
      <RegisterForm invited={invited} />
    </EntryLayout>
  );
}
