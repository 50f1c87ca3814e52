import { QueryClient } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { getSession, subscribeToSession } from './session.ts';

/** What is asked for again on its own: an answer that never came or a server that failed, twice. */
function worthRetrying(failures: number, error: Error): boolean {
  const transient = error instanceof ApiError && (error.status === 0 || error.status >= 500);
  return transient && failures < 2;
}

/** Everything the page has fetched for who is signed in. */
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
  // Nothing of one person may wait in memory for the next.
  queryClient.clear();
});
