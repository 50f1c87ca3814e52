import { useNavigate } from 'react-router';
import { Banner } from '#web/ui/banner';
import { AuthLoading } from '../auth-loading.tsx';
import { CodeForm } from '../second-factor/code-form.tsx';
import { ExistingAccount } from './existing-account.tsx';
import type { useComingBack } from './use-coming-back.ts';

/** Shows the progress of a sign-in at the provider, and asks for a code or a choice if needed. */
export function ComingBack({ at, use }: ReturnType<typeof useComingBack>) {
  const navigate = useNavigate();
  switch (at.step) {
    case 'finishing':
      return <AuthLoading />;
    case 'failed':
      return (
        <Banner tone="error" role="alert">
          {at.problem}
        </Banner>
      );
    case 'code':
      return (
        <CodeForm
          onCode={(code) => use({ ticket: at.ticket, code })}
          onBack={() => void navigate('/login', { replace: true })}
        />
      );
    case 'choice':
      return (
        <ExistingAccount
          existing={at.existing}
          onChoice={(existing) => use({ ticket: at.ticket, existing })}
        />
      );
  }
}
