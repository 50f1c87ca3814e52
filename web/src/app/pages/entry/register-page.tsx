import { Link } from 'react-router';
import { RegisterForm } from '#web/features/accounts/register-form';
import { PageTitle } from '#web/ui/page';
import { EntryLayout, entryLinkClasses } from './entry-layout.tsx';

export function RegisterPage() {
  return (
    <EntryLayout
      heading="Create Account"
      subtitle="The demo agent is one click away afterwards."
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
      <RegisterForm />
    </EntryLayout>
  );
}
