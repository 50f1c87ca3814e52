import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { getSession, subscribeToSession } from './session.ts';

/** Retries, twice, only what may succeed: no answer, or a server error. */
function worthRetrying(failures: number, error: Error): boolean {
  const transient = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return transient && failures < 2;
}

/** All data that the page has fetched for the signed-in person. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: { staleTime: 5_000, retry: worthRetrying, retryDelay: (failures) => 400 * 2 ** failures },
  },
});

let owner = getSession().token;
subscribeToSession(() => {
  const { token } = getSession();
  if (token === owner) return;
  owner = token;
  // One person's data must not stay in memory for the next.
  queryClient.clear();
});
