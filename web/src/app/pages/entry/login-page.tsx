import { Link } from 'react-router';
import { LoginForm } from '#web/features/accounts/login-form';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

export function LoginPage() {
  return (
    <EntryLayout
      heading="Welcome Back"
      subtitle="Sign in to connect with customer support agents"
      footer={
        <>
          No account yet?{' '}
          <Link to="/register" className={linkClasses}>
            Create one now
          </Link>
        </>
      }
    >
      <PageTitle>Sign in</PageTitle>
      <LoginForm />
    </EntryLayout>
  );
}
