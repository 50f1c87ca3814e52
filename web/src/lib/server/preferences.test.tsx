import { QueryClientProvider } from '@tanstack/react-query';
import { act, renderHook, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { defaultPreferences, type Preferences, preferencesChangeSchema } from '#shared/preferences';
import { fakeServer, never, refusal } from '#web/test-support';
import { usePreferences } from './preferences.ts';
import { queryClient } from './query-client.ts';
import { reloadSession } from './session.ts';

function open(token: string | null = 'a-token') {
  if (token) localStorage.setItem('token', token);
  reloadSession();
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
  );
  return renderHook(() => usePreferences(), { wrapper }).result;
}

const refused = () => refusal(503, 'The database is away.', 'unavailable');

/** A server that stores what it receives. */
function keeping(stored: Preferences = defaultPreferences) {
  return fakeServer({
    'GET /api/preferences': () => ({ body: stored }),
    'PUT /api/preferences': ({ body }) => {
      stored = { ...stored, ...(preferencesChangeSchema.parse(body) as Partial<Preferences>) };
      return { body: stored };
    },
  });
}

describe('preferences', () => {
  it('allow nothing that may have been refused until the server has said what holds', async () => {
    fakeServer({ 'GET /api/preferences': never });
    const result = open();
    expect(result.current).toMatchObject({
      isKnown: false,
      preferences: { recognition: 'server', soundCues: false },
    });
  });

  it('are what the server says', async () => {
    const stored: Preferences = { keepRecordings: false, recognition: 'automatic', soundCues: true };
    keeping(stored);
    const result = open();
    await waitFor(() => expect(result.current.isKnown).toBe(true));
    expect(result.current.preferences).toEqual(stored);
  });

  it('are not asked for while nobody is signed in', async () => {
    const seen = keeping();
    open(null);
    await act(async () => {});
    expect(seen).toEqual([]);
  });

  it('change at once, and send only what changed', async () => {
    const seen = keeping();
    const result = open();
    await waitFor(() => expect(result.current.isKnown).toBe(true));
    act(() => result.current.change({ keepRecordings: false }));
    await waitFor(() => expect(result.current.preferences.keepRecordings).toBe(false));
    act(() => result.current.change({ soundCues: false }));
    await waitFor(() => expect(seen.filter(({ method }) => method === 'PUT')).toHaveLength(2));
    expect(seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { keepRecordings: false },
      { soundCues: false },
    ]);
    await waitFor(() =>
      expect(result.current.preferences).toEqual({
        ...defaultPreferences,
        keepRecordings: false,
        soundCues: false,
      }),
    );
  });

  it('are taken back, with a sentence, when the server does not keep them', async () => {
    vi.spyOn(console, 'warn').mockImplementation(() => {});
    fakeServer({
      'GET /api/preferences': { body: defaultPreferences },
      'PUT /api/preferences': refused,
    });
    const result = open();
    await waitFor(() => expect(result.current.isKnown).toBe(true));
    act(() => result.current.change({ keepRecordings: false }));
    await waitFor(() =>
      expect(result.current.saveProblem).toBe('Your settings could not be saved. Please try again.'),
    );
    expect(result.current.preferences).toEqual(defaultPreferences);
  });
});
