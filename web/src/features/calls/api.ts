import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { serverStatusSchema } from '#shared/status';
import { request, requestData } from '#web/lib/api-client';
import { logProblem } from '#web/lib/log';

const POLL_MS = 1_500;

/** Which brain and voice answer. Asked again only while one of them is not ready yet. */
export function useServerStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => requestData('/api/status', { schema: serverStatusSchema, signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const coming = [state.data?.brain.status.state, state.data?.voice.status.state];
      return coming.includes('fetching') || coming.includes('loading') ? POLL_MS : false;
    },
  });
}

/** Ends a conversation for good. A failure is logged only: who hangs up is gone either way. */
export function useEndCall() {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: (conversationId: string) =>
      request(`/api/conversations/${encodeURIComponent(conversationId)}/end`, { method: 'PUT' }),
    onError: (error) => logProblem('The call was not ended on the server.', error),
    onSettled: () =>
      Promise.all([
        queryClient.invalidateQueries({ queryKey: ['conversations'] }),
        queryClient.invalidateQueries({ queryKey: ['stats'] }),
      ]),
  });
}
