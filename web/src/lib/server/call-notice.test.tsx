import { QueryClientProvider } from '@tanstack/react-query';
import { renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';
import { defaultPreferences } from '#shared/preferences';
import { fakeServer, never } from '#web/test-support';
import { useCallNotice } from './call-notice.ts';
import { queryClient } from './query-client.ts';
import { reloadSession } from './session.ts';

function open() {
  localStorage.setItem('token', 'a-token');
  reloadSession();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(() => useCallNotice(), { wrapper }).result;
}

const ready = { state: 'ready', message: 'Ready.' };
const status = (retentionDays: number | null) => ({
  body: {
    brain: { name: 'Grounded responder', kind: 'grounded', status: ready },
    voice: { name: 'Piper', status: ready },
    ears: { name: 'Moonshine', status: ready },
    policy: { retentionDays, audioStaysHere: false },
  },
});

it.each([
  [true, null, 'You are talking with an AI agent. This call is recorded.'],
  [
    true,
    1,
    'You are talking with an AI agent. This call is recorded. It is deleted a day after its last word.',
  ],
  [
    false,
    30,
    'You are talking with an AI agent. This call is kept as text, not as sound. It is deleted 30 days after its last word.',
  ],
])('says what is kept (sound: %s) and for how long (%s)', async (keepRecordings, days, sentence) => {
  fakeServer({
    'GET /api/preferences': { body: { ...defaultPreferences, keepRecordings } },
    'GET /api/status': status(days),
  });
  const notice = open();
  await waitFor(() => expect(notice.current).toBe(sentence));
});

it('says nothing before it knows', () => {
  fakeServer({ 'GET /api/preferences': never, 'GET /api/status': status(null) });
  expect(open().current).toBeNull();
});
