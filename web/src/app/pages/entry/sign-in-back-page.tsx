import { Link, useLocation } from 'react-router';
import { ComingBack } from '#web/features/accounts/federation/coming-back';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** Where the identity provider sends browsers back to. */
export function SignInBackPage() {
  const { search } = useLocation();
  return (
    <EntryLayout
      heading="Welcome Back"
      subtitle="You are being signed in."
      footer={
        <Link to="/login" className={linkClasses}>
          Back to sign-in
        </Link>
      }
    >
      <PageTitle>Sign in</PageTitle>
      <ComingBack answer={search.replace(/^\?/, '')} />
    </EntryLayout>
  );
}
