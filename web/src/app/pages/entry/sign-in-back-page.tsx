import { Link, useLocation } from 'react-router';
import { ComingBack } from '#web/features/accounts/federation/coming-back';
import { useComingBack } from '#web/features/accounts/federation/use-coming-back';
import { formatDateTime } from '#web/lib/formats';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** Where the identity provider sends browsers back to. */
export function SignInBackPage() {
  const { search } = useLocation();
  const comingBack = useComingBack(search.replace(/^\?/, ''));
  const { at } = comingBack;
  return (
    <EntryLayout
      {...(at.step === 'choice'
        ? {
            heading: 'An account with this address exists already',
            subtitle: `It was made on ${formatDateTime(at.existing.createdAt)} by somebody who did not confirm the address. That may have been you.`,
          }
        : { heading: 'Welcome Back', subtitle: 'You are being signed in.' })}
      footer={
        <Link to="/login" className={linkClasses}>
          Back to sign-in
        </Link>
      }
    >
      <PageTitle>Sign in</PageTitle>
      <ComingBack {...comingBack} />
    </EntryLayout>
  );
}
