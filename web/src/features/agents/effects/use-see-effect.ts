import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { ASKED_WITHIN_MS, effectSchema } from '#shared/effects';
import { requestData } from '#web/lib/server/api-client';
import type { TriedChange } from '#web/lib/tried-change';

/** Extra time for finding the questions and for the network. */
const ON_TOP_MS = 12_000;

/** Answers customers' last questions with the agent before and after a change. Leaving cancels it. */
export function useSeeEffect(agentId: string) {
  const asking = useRef<AbortController | null>(null);
  useEffect(() => () => asking.current?.abort(), []);
  const { mutate, reset, ...state } = useMutation({
    mutationFn: async (tried: TriedChange['change']) => {
      const abort = new AbortController();
      asking.current = abort;
      const read = typeof tried === 'function' ? await tried(abort.signal) : { request: tried, found: null };
      const effect = await requestData(`/api/agents/${encodeURIComponent(agentId)}/effects`, {
        method: 'POST',
        body: read.request,
        schema: effectSchema,
        signal: abort.signal,
        timeoutMs: ASKED_WITHIN_MS + ON_TOP_MS,
      });
      return { effect, found: read.found };
    },
  });
  return {
    ...state,
    see: mutate,
    giveUp: () => {
      asking.current?.abort();
      reset();
    },
  };
}
