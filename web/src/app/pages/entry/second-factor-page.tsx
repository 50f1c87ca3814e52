import { Navigate } from 'react-router';
import { useUser } from '#web/features/accounts/auth';
import { MustSetUp } from '#web/features/accounts/second-factor/must-set-up';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** Where whoever must set up a second factor stays until they have. */
export function SecondFactorPage() {
  if (!useUser().mustSetUpSecondFactor) return <Navigate to="/dashboard" replace />;
  return (
    <EntryLayout
      heading="Set up a second factor"
      subtitle="Everybody here needs one: a code of an app on your telephone, besides your password."
      footer="Any authenticator app does."
    >
      <PageTitle>Set up a second factor</PageTitle>
      <MustSetUp />
    </EntryLayout>
  );
}
