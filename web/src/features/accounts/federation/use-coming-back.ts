import { useEffect, useRef, useState } from 'react';
import type { ExistingAccount, SignedIn, TicketUse } from '#shared/accounts';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/entry';
import { comeBackFromProvider, signInWithTicket } from '../api.ts';
import { useAuth } from '../auth.ts';
import { takeAttempt } from './attempt.ts';

/** The step of a sign-in at the provider. */
type ComingBackStep =
  | { step: 'finishing' }
  | { step: 'failed'; problem: string }
  /** The account needs a code, too. */
  | { step: 'code'; ticket: string }
  /** An account with this address exists unconfirmed: its owner decides about it. */
  | { step: 'choice'; ticket: string; existing: ExistingAccount };

/**
 * Finishes a sign-in at the provider.
 * @param answer the query that the browser returned with
 * @returns the step, and a function that uses a ticket, which rejects with the reason in a sentence
 */
export function useComingBack(answer: string): {
  at: ComingBackStep;
  use: (use: TicketUse) => Promise<void>;
} {
  const { accept } = useAuth();
  const [at, setAt] = useState<ComingBackStep>({ step: 'finishing' });
  const hasBegun = useRef(false);

  useEffect(() => {
    // An answer is valid only once.
    if (hasBegun.current) return;
    hasBegun.current = true;
    finish(answer)
      .then((result) => ('token' in result ? accept(result) : setAt(result)))
      .catch((error: unknown) =>
        setAt({
          step: 'failed',
          problem: error instanceof Error ? error.message : t('signInFailed'),
        }),
      );
  }, [answer, accept]);

  return { at, use: async (use) => accept(await signInWithTicket(use)) };
}

/** @returns the signed-in user, or the next step. @throws ApiError, Error with a sentence */
async function finish(answer: string): Promise<SignedIn | ComingBackStep> {
  const attempt = takeAttempt();
  if (attempt === null) throw new Error(t('signInBack.gone'));
  const { ticket, existing } = await comeBackFromProvider({ attempt, answer });
  if (existing) return { step: 'choice', ticket, existing };
  try {
    return await signInWithTicket({ ticket });
  } catch (error) {
    if (error instanceof ApiError && error.code === 'second-factor-needed') return { step: 'code', ticket };
    throw error;
  }
}
