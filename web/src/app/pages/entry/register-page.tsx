import { Link, useLocation } from 'react-router';
import { readInvitation } from '#web/features/accounts/invited';
import { RegisterForm } from '#web/features/accounts/register-form';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

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
          <Link to="/login" className={linkClasses}>
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
