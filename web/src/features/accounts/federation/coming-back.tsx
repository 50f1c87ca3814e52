import { useEffect, useRef, useState } from 'react';
import { useNavigate } from 'react-router';
import { ApiError } from '#web/lib/server/api-error';
import { Banner } from '#web/ui/banner';
import { comeBackFromProvider, signInWithTicket } from '../api.ts';
import { useAuth } from '../auth.ts';
import { AuthLoading } from '../auth-loading.tsx';
import { CodeForm } from '../second-factor/code-form.tsx';
import { takeAttempt } from './attempt.ts';

/** Finishes a sign-in at the provider. @param answer the query it sent the browser back with */
export function ComingBack({ answer }: { answer: string }) {
  const { accept } = useAuth();
  const navigate = useNavigate();
  const [ticket, setTicket] = useState<string | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const hasBegun = useRef(false);

  useEffect(() => {
    // An answer is worth something once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    finish(answer)
      .then((result) => ('token' in result ? accept(result) : setTicket(result.ticket)))
      .catch((error: unknown) => setProblem(error instanceof Error ? error.message : 'The sign-in failed.'));
  }, [answer, accept]);

  if (problem)
    return (
      <Banner tone="error" role="alert">
        {problem}
      </Banner>
    );
  if (ticket)
    return (
      <CodeForm
        onCode={async (code) => accept(await signInWithTicket({ ticket, code }))}
        onBack={() => void navigate('/login', { replace: true })}
      />
    );
  return <AuthLoading />;
}

/** @returns who is signed in, or the ticket that needs a code, too. @throws ApiError, Error with a sentence */
async function finish(answer: string) {
  const attempt = takeAttempt();
  if (attempt === null) throw new Error('This sign-in began elsewhere or is over. Start it again.');
  const { ticket } = await comeBackFromProvider({ attempt, answer });
  try {
    return await signInWithTicket({ ticket });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second-factor-needed') return { ticket };
    throw error;
  }
}
