import { Link, useLocation } from 'react-router';
import { readInvitation } from '#web/features/accounts/invited';
import { RegisterForm } from '#web/features/accounts/register-form';
import { PageTitle } from '#web/ui/page';
import { EntryLayout, entryLinkClasses } from './entry-layout.tsx';

export function RegisterPage() {
  const invited = readInvitation(useLocation().hash);
  return (
    <EntryLayout
      heading="Create Account"
      subtitle={
        invited
          ? 'You were invited. Choose a name and a password.'
          : 'The demo agent is one click away afterwards.'
      }
      footer={
        <>
          Already have an account?{' '}
          <Link to="/login" className={entryLinkClasses}>
            Sign in here
          </Link>
        </>
      }
    >
      <PageTitle>Create account</PageTitle>
      <RegisterForm invited={invited} />
    </EntryLayout>
  );
}
