import { useQuery } from '@tanstack/react-query';
import { serverStatusSchema } from '#shared/status';
import { requestData } from './api-client.ts';

const POLL_MS = 1_500;

/**
 * Which language model and voice are in use, and whether the server can listen. Polls only while one of them
 * is not ready.
 */
export function useServerStatus() {
  return useQuery({
    queryKey: ['status'],
    queryFn: ({ signal }) => requestData('/api/status', { schema: serverStatusSchema, signal }),
    staleTime: 60_000,
    refetchInterval: ({ state }) => {
      const { brain, voice, ears } = state.data ?? {};
      const coming = [brain, voice, ears].map((engine) => engine?.status.state);
      return coming.includes('fetching') || coming.includes('loading') ? POLL_MS : false;
    },
  });
}
