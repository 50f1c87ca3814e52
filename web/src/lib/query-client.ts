import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-client.ts';

/** What is asked for again on its own: an answer that never came or a server that failed, twice. */
function worthRetrying(failures: number, error: Error): boolean {
  const transient = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return transient && failures < 2;
}

export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { staleTime: 5_000, retry: worthRetrying, retryDelay: (failures) => 400 * 2 ** failures },
    },
  });
}
