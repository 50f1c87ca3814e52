import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { answeredNowSchema, unansweredSchema } from '#shared/insights';
import { request, requestData } from '#web/lib/server/api-client';

/** Laxer than the contract: a time that is none reads "Never". */
const shownUnansweredSchema = unansweredSchema.extend({ lastAsked: z.string() });
export type ShownUnanswered = z.infer<typeof shownUnansweredSchema>;

const KEY = ['unanswered'] as const;
const PATH = '/api/insights/unanswered';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
/** As many as the server gives at once. */
export const MOST_UNANSWERED = 100;
/** What an agent knows is read again before it answers: with 200,000 characters that takes its time. */
const ANSWER_MS = 60_000;

/**
 * What agents could not answer, in the server's order. Asked for whenever a screen shows it anew, and not in between:
 * what one has just answered stays where it is, with what came of it.
 */
export function useUnanswered() {
  return useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      requestData(`${PATH}?limit=${MOST_UNANSWERED}`, { schema: z.array(shownUnansweredSchema), signal }),
    refetchOnMount: 'always',
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

interface WrittenAnswer {
  id: string;
  answer: string;
  /** The same one again adds nothing more: for trying again after an answer that never came. */
  idempotencyKey: string;
}

/** Adds question and answer to what the agent knows. @returns how it answers the question now */
export function useWriteAnswer() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, answer, idempotencyKey }: WrittenAnswer) =>
      requestData(`${pathOf(id)}/answer`, {
        method: 'POST',
        body: { answer },
        schema: answeredNowSchema,
        headers: { 'idempotency-key': idempotencyKey },
        timeoutMs: ANSWER_MS,
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: KEY, refetchType: 'none' }),
        queryClient.invalidateQueries({ queryKey: ['agents'] }),
      ]),
  });
}

/** Takes a question off the list. */
export function useDismissQuestion() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(pathOf(id), { method: 'DELETE' }),
    onSuccess: (_answer, id) =>
      queryClient.setQueryData<ShownUnanswered[]>(KEY, (list) => list?.filter((each) => each._id !== id)),
  });
}
