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

/** An agent for display. Looser than the contract in fields that nothing depends on. */
const shownAgentSchema = agentSchema.extend({
  prompts: z.array(z.string()).default([]),
  language: z.string().optional(),
  masks: z.array(maskSchema).optional(),
  version: z.number().optional(),
  createdAt: z.string().optional(),
  updatedAt: z.string().optional(),
});
export type ShownAgent = z.infer<typeof shownAgentSchema>;

/** Unreadable parts of the answer to a save are ignored. */
const savedSchema = z
  .object({ updatedAt: z.string().optional(), replaced: shownAgentSchema.optional() })
  .catch({});

/** A rehearsed reply comes complete with all of its audio, which takes longer on a busy machine. */
const REHEARSED_MS = 60_000;

const ALL = ['agents', 'all'] as const;
const pathOf = (id: string) => `/api/agents/${encodeURIComponent(id)}`;

/** All agents, newest first. A failure is only logged (specification, section 8). */
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

/** One agent, always fresh, so that nobody edits an outdated state. */
export function useAgent(id: string) {
  return useQuery({
    queryKey: ['agents', 'one', id],
    queryFn: ({ signal }) => requestData(pathOf(id), { schema: shownAgentSchema, signal }),
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
  });
}

/** @param idempotencyKey repeating it creates nothing more: for another try after a missing answer */
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
  /** The `updatedAt` that the change started from. */
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

/** Deletes an agent. A failure is only logged (specification, section 8). */
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

/** One turn with an unsaved agent; nothing is stored. @throws ApiError */
export function tryAgent(turn: AgentTry, signal: AbortSignal) {
  return requestData('/api/agents/try', {
    method: 'POST',
    body: turn,
    schema: triedReplySchema,
    signal,
    timeoutMs: REHEARSED_MS,
  });
}

/** Parts of prompts that belong into fields of the agent; nothing is stored. @throws ApiError */
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

/** Hints for a text being written; nothing is stored. @throws ApiError */
export async function writingHelp(text: WritingHelpRequest, signal: AbortSignal) {
  const path = '/api/agents/writing-help';
  return (await requestData(path, { method: 'POST', body: text, schema: writingHintsSchema, signal })).hints;
}
