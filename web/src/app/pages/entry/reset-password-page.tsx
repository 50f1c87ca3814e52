import { Link, useLocation } from 'react-router';
import { NewPasswordForm } from '#web/features/accounts/recovery/new-password-form';
import { t } from '#web/texts/entry';
import { Banner } from '#web/ui/banner';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** The target of the letter's link, whose token is after the #. */
export function ResetPasswordPage() {
  const token = new URLSearchParams(useLocation().hash.replace(/^#/, '')).get('token');
  return (
    <EntryLayout
      heading={t('reset.title')}
      subtitle={t('reset.subtitle')}
      footer={
        <Link to="/login" className={linkClasses}>
          {t('backToSignIn')}
        </Link>
      }
    >
      <PageTitle>{t('reset.title')}</PageTitle>
      {token ? (
        <NewPasswordForm token={token} />
      ) : (
        <Banner tone="error" role="alert">
          {t('reset.incompleteLink')}
        </Banner>
      )}
    </EntryLayout>
  );
}
