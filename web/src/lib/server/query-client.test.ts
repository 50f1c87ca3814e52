import { expect, it } from 'vitest';
import { queryClient } from './query-client.ts';
import { endSession, startSession } from './session.ts';

it('forgets what one person fetched when they sign out or somebody else signs in', () => {
  startSession('token-1');
  queryClient.setQueryData(['conversations'], ['private']);
  startSession('token-2');
  expect(queryClient.getQueryData(['conversations'])).toBeUndefined();

  queryClient.setQueryData(['conversations'], ['private']);
  endSession('signed-out');
  expect(queryClient.getQueryData(['conversations'])).toBeUndefined();
});
