import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { z } from 'zod';
import {
  type Action,
  type ActionDraft,
  actionSchema,
  offeredToolSchema,
  type ToolServer,
  triedActionSchema,
} from '#shared/actions';
import { request, requestData } from '#web/lib/server/api-client';

const pathOf = (agentId: string, rest = '') => `/api/agents/${encodeURIComponent(agentId)}/actions${rest}`;
const keyOf = (agentId: string) => ['agents', 'actions', agentId] as const;

/** An agent's actions, oldest first. */
export function useActions(agentId: string) {
  return useQuery({
    queryKey: keyOf(agentId),
    queryFn: ({ signal }) => requestData(pathOf(agentId), { schema: z.array(actionSchema), signal }),
  });
}

/** Creates an action, or changes the one with the id. */
export function useSaveAction(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ id, draft }: { id: string | null; draft: ActionDraft }) =>
      requestData(pathOf(agentId, id === null ? '' : `/${id}`), {
        method: id === null ? 'POST' : 'PUT',
        body: draft,
        schema: actionSchema,
      }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
  });
}

export function useDeleteAction(agentId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ _id }: Action) => request(pathOf(agentId, `/${_id}`), { method: 'DELETE' }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: keyOf(agentId) }),
  });
}

/** Sends a real request to the system. */
export function useTryAction(agentId: string, id: string) {
  return useMutation({
    mutationFn: (inputs: Record<string, string>) =>
      requestData(pathOf(agentId, `/${id}/try`), {
        method: 'POST',
        body: { inputs },
        schema: triedActionSchema,
      }),
  });
}

/** The tools of a server, as actions would use them. */
export function useTools(agentId: string) {
  return useMutation({
    mutationFn: (server: ToolServer) =>
      requestData(pathOf(agentId, '/tools'), {
        method: 'POST',
        body: server,
        schema: z.array(offeredToolSchema),
      }),
  });
}
