import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import { answeredNowSchema, unansweredSchema } from '#shared/insights';
import { request, requestData } from '#web/lib/server/api-client';

/** Looser than the contract: an invalid time reads "Never". */
const shownUnansweredSchema = unansweredSchema.extend({ lastAsked: z.string() });
export type ShownUnanswered = z.infer<typeof shownUnansweredSchema>;

const KEY = ['unanswered'] as const;
const PATH = '/api/insights/unanswered';
const pathOf = (id: string) => `${PATH}/${encodeURIComponent(id)}`;
/** As many as the server returns at once. */
export const MOST_UNANSWERED = 100;
/** An agent's knowledge is indexed before it answers: 200,000 characters take a while. */
const ANSWER_MS = 60_000;

/**
 * Questions that agents could not answer, in the server's order. Loaded only when a screen opens, so that a question
 * just answered stays in place with its result.
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
  /** Repeating it adds nothing more: for another try after a missing answer. */
  idempotencyKey: string;
}

/** Adds question and answer to the agent's knowledge. @returns its answer to the question now */
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
