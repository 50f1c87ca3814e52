import { Link, useLocation } from 'react-router';
import { ComingBack } from '#web/features/accounts/federation/coming-back';
import { useComingBack } from '#web/features/accounts/federation/use-coming-back';
import { formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/entry';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** The page to which the identity provider returns browsers. */
export function SignInBackPage() {
  const { search } = useLocation();
  const comingBack = useComingBack(search.replace(/^\?/, ''));
  const { at } = comingBack;
  return (
    <EntryLayout
      {...(at.step === 'choice'
        ? {
            heading: t('existing.heading'),
            subtitle: t('existing.subtitle', { date: formatDateTime(at.existing.createdAt) }),
          }
        : { heading: t('login.heading'), subtitle: t('signInBack.subtitle') })}
      footer={
        <Link to="/login" className={linkClasses}>
          {t('backToSignIn')}
        </Link>
      }
    >
      <PageTitle>{t('login.title')}</PageTitle>
      <ComingBack {...comingBack} />
    </EntryLayout>
  );
}
