import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type AgentDraft,
  type AgentTry,
  agentSchema,
  maskSchema,
  triedReplySchema,
  type WritingHelpRequest,
  writingHintsSchema,
} from '#shared/agents';
import { shownSayingsSchema } from '#shared/sayings';
import { logProblem } from '#web/lib/log';
import { request, requestData } from '#web/lib/server/api-client';

/** An agent as it is shown. Laxer than the contract where nothing depends on it. */
const shownAgentSchema = agentSchema.extend({
  prompts: z.array(z.string()).default([]),
  language: z.string().optional(),
  masks: z.array(maskSchema).optional(),
  version: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});
export type ShownAgent = z.infer<typeof shownAgentSchema>;

/** The answer to a save need not be read: what cannot be read of it counts as not said. */
const savedSchema = z
  .object({ updatedAt: z.string().optional(), replaced: shownAgentSchema.optional() })
  .catch({});

/** A rehearsed reply comes whole, with all of its voice: on a busy machine that is more than what an answer takes elsewhere. */
const REHEARSED_MS = 60_000;

const ALL = ['agents', 'all'] as const;
const pathOf = (id: string) => `/api/agents/${encodeURIComponent(id)}`;

/** All agents, newest first. A failure is logged only (specification, section 8). */
export function useAgents() {
  return useQuery({
    queryKey: ALL,
    queryFn: async ({ signal }) => {
      try {
        return await requestData('/api/agents', { schema: z.array(shownAgentSchema), signal });
      } catch (error) {
        if (!signal.aborted) logProblem('The agents could not be listed.', error);
        throw error;
      }
    },
  });
}

/** One agent, fresh: what is edited must not be what was true a while ago. */
export function useAgent(id: string) {
  return useQuery({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) => requestData(pathOf(id), { schema: shownAgentSchema, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** @param idempotencyKey the same one again creates nothing more: for trying again after an answer that never came */
export function useCreateAgent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, idempotencyKey }: { draft: AgentDraft; idempotencyKey: string }) =>
      request('/api/agents', {
        method: 'POST',
        body: draft,
        headers: { 'idempotency-key': idempotencyKey },
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: ALL }),
  });
}

interface AgentSave {
  draft: AgentDraft;
  /** The `updatedAt` the change started from. */
  startedFrom: string | undefined;
}

export function useUpdateAgent(id: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ draft, startedFrom }: AgentSave) =>
      requestData(pathOf(id), {
        method: 'PUT',
        body: { ...draft, ...(startedFrom ? { updatedAt: startedFrom } : {}) },
        schema: savedSchema,
      }),
    onSuccess: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ALL }),
        queryClient.invalidateQueries({ queryKey: ['agents', 'versions', id] }),
      ]),
  });
}

/** Deletes an agent. A failure is logged only (specification, section 8). */
export function useDeleteAgent() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (id: string) => request(pathOf(id), { method: 'DELETE' }),
    onSuccess: (_answer, id) =>
      queryClient.setQueryData<ShownAgent[]>(ALL, (agents) => agents?.filter((agent) => agent._id !== id)),
    onError: (error) => logProblem('The agent was not deleted.', error),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ALL }),
  });
}

/** One turn with an agent that is not saved; nothing of it is stored. @throws ApiError */
export function tryAgent(turn: AgentTry, signal: AbortSignal) {
  return requestData('/api/agents/try', {
    method: 'POST',
    body: turn,
    schema: triedReplySchema,
    signal,
    timeoutMs: REHEARSED_MS,
  });
}

/** What prompts say that an agent has fields for; nothing of them is stored. @throws ApiError */
export function sayingsInPrompts(
  prompts: readonly string[],
  language: string | undefined,
  signal: AbortSignal,
) {
  return requestData('/api/agents/sayings', {
    method: 'POST',
    body: { prompts, ...(language ? { language } : {}) },
    schema: shownSayingsSchema.required(),
    signal,
  });
}

/** What to mend in a text that is being written; nothing of it is stored. @throws ApiError */
export async function writingHelp(text: WritingHelpRequest, signal: AbortSignal) {
  const path = '/api/agents/writing-help';
  return (await requestData(path, { method: 'POST', body: text, schema: writingHintsSchema, signal })).hints;
}
