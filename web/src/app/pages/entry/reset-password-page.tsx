import { Link, useLocation } from 'react-router';
import { NewPasswordForm } from '#web/features/accounts/recovery/new-password-form';
import { Banner } from '#web/ui/banner';
import { linkClasses } from '#web/ui/link-classes';
import { PageTitle } from '#web/ui/page';
import { EntryLayout } from './entry-layout.tsx';

/** Where the link of a letter leads: what lets one in stands behind the #. */
export function ResetPasswordPage() {
  const token = new URLSearchParams(useLocation().hash.replace(/^#/, '')).get('token');
  return (
    <EntryLayout
      heading="Choose a new password"
      subtitle="You are signed out everywhere and come in with it."
      footer={
        <Link to="/login" className={linkClasses}>
          Back to sign-in
        </Link>
      }
    >
      <PageTitle>Choose a new password</PageTitle>
      {token ? (
        <NewPasswordForm token={token} />
      ) : (
        <Banner tone="error" role="alert">
          This link is not complete. Open it again from the letter, or ask for a new one.
        </Banner>
      )}
    </EntryLayout>
  );
}
