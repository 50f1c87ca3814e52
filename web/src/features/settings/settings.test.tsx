import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { defaultPreferences } from '#shared/preferences';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

const signedIn = { 'GET /api/auth/me': { body: ada }, 'GET /api/agents': { body: [] } };

beforeEach(() => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
});

async function openSettings() {
  openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Settings' }));
  return within(await screen.findByRole('dialog', { name: 'Settings' }));
}

it('shows what is settled, and settles it anew', async () => {
  const stored = { ...defaultPreferences };
  const seen = fakeServer({
    ...signedIn,
    'GET /api/preferences': () => ({ body: stored }),
    'PUT /api/preferences': ({ body }) => ({ body: Object.assign(stored, body) }),
  });
  const dialog = await openSettings();
  const keep = dialog.getByRole('switch', { name: 'Keep recordings of calls' });
  await waitFor(() => expect(keep).toBeChecked());
  expect(dialog.getByRole('radio', { name: 'Only on this server' })).toBeChecked();

  await userEvent.click(keep);
  expect(keep).not.toBeChecked();
  expect(dialog.getByText(/stay until you delete their conversation/)).toBeVisible();
  await userEvent.click(dialog.getByRole('radio', { name: 'In your browser, where it can' }));
  await userEvent.click(dialog.getByRole('switch', { name: 'Sound cues' }));
  await waitFor(() =>
    expect(seen.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
      { keepRecordings: false },
      { recognition: 'automatic' },
      { soundCues: false },
    ]),
  );
  expect(stored).toEqual({ keepRecordings: false, recognition: 'automatic', soundCues: false });
});

it('says why speech is only turned into text on this server', async () => {
  const ready = { state: 'ready', message: 'Ready.' };
  fakeServer({
    ...signedIn,
    'GET /api/preferences': { body: defaultPreferences },
    'GET /api/status': {
      body: {
        brain: { name: 'Grounded responder', kind: 'grounded', status: ready },
        voice: { name: 'Piper', status: ready },
        ears: { name: 'Moonshine', status: ready },
        policy: { retentionDays: 30, audioStaysHere: true },
      },
    },
  });
  const dialog = await openSettings();
  expect(await dialog.findByText(/speech stays on it\. Live rooms use no outside server/)).toBeVisible();
  expect(dialog.getByRole('radio', { name: 'In your browser, where it can' })).toBeDisabled();
});

it('takes a choice back that the server does not keep, and says so', async () => {
  fakeServer({
    ...signedIn,
    'GET /api/preferences': { body: defaultPreferences },
    'PUT /api/preferences': refusal(400, 'No.', 'invalid-input'),
  });
  const dialog = await openSettings();
  const keep = dialog.getByRole('switch', { name: 'Keep recordings of calls' });
  await waitFor(() => expect(keep).toBeEnabled());
  await userEvent.click(keep);
  expect(await dialog.findByRole('alert')).toHaveTextContent(
    'Your settings could not be saved. Please try again.',
  );
  expect(keep).toBeChecked();
});

it('says when they could not be loaded, and tries again', async () => {
  let broken = true;
  fakeServer({
    ...signedIn,
    'GET /api/preferences': () =>
      broken ? refusal(429, 'Too many.', 'rate-limited') : { body: defaultPreferences },
  });
  const dialog = await openSettings();
  expect(await dialog.findByRole('alert')).toHaveTextContent('Your settings could not be loaded.');
  broken = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByRole('switch', { name: 'Sound cues' })).toBeChecked();
});
