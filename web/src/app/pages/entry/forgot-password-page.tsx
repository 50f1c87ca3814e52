import { Link } from 'react-router';
import { ForgotPasswordForm } from '#web/features/accounts/recovery/forgot-password-form';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

export function ForgotPasswordPage() {
  return (
    <EntryLayout
      heading="Forgot your password?"
      subtitle="We send you a link by which you choose a new one."
      footer={
        <>
          Remembered it?{' '}
          <Link to="/login" className={linkClasses}>
            Sign in here
          </Link>
        </>
      }
    >
      <PageTitle>Forgot your password?</PageTitle>
      <ForgotPasswordForm />
    </EntryLayout>
  );
}
