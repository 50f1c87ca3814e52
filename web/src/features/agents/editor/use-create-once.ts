import { useRef } from 'react';
import type { AgentDraft } from '#shared/agents';
import { randomId } from '#web/lib/id';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/agents';
import { useCreateAgent } from '../api.ts';

/** Creates an agent; another try after a missing answer makes no second one. */
export function useCreateOnce(): (draft: AgentDraft) => Promise<void> {
  const createAgent = useCreateAgent();
  const attempt = useRef<{ body: string; key: string } | null>(null);
  return async (draft) => {
    const body = JSON.stringify(draft);
    if (attempt.current?.body !== body) attempt.current = { body, key: randomId() };
    try {
      await createAgent.mutateAsync({ draft, idempotencyKey: attempt.current.key });
    } catch (error) {
      // A refusal would be repeated for the same key; a request without an answer may have been carried out.
      if (error instanceof ApiError && error.status > 0 && error.status < 500) attempt.current = null;
      throw error;
    }
  };
}

/** The text after a failed creation: the server's sentence if it sent one. */
export function createFailure(error: unknown): string {
  const message = error instanceof ApiError ? error.serverMessage : null;
  return message ?? t('form.createFailed');
}
