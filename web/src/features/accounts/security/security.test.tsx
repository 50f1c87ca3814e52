import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { defaultPreferences } from '#shared/preferences';
import { ada, fakeServer, openSettings, refusal } from '#web/test-support';

const chrome = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
const session = (changes: object = {}) => ({
  _id: 'here',
  createdAt: '2026-11-20T09:00:00.000Z',
  lastUsedAt: '2026-11-22T09:00:00.000Z',
  expiresAt: '2026-12-20T09:00:00.000Z',
  current: true,
  userAgent: chrome,
  address: '203.0.113.7',
  ...changes,
});
const phone = session({
  _id: 'phone',
  current: false,
  userAgent: 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Safari/604.1',
  address: '198.51.100.4',
});
const everything = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [] },
  'GET /api/preferences': { body: defaultPreferences },
  'GET /api/auth/sessions': { body: [session(), phone] },
  'GET /api/auth/second-factor': { body: { on: false, recoveryCodesLeft: 0, required: false } },
};

const security = () => openSettings('Account and security');

it('lists from where one is signed in, and ends one session', async () => {
  const sessions = [session(), phone];
  const seen = fakeServer({
    ...everything,
    'GET /api/auth/sessions': () => ({ body: sessions }),
    'DELETE /api/auth/sessions/phone': () => {
      sessions.pop();
      return { status: 204 };
    },
  });
  const { dialog } = await security();
  const here = (await dialog.findByText('Chrome on Windows')).closest('li');
  expect(here).toHaveTextContent('This device');
  expect(here).toHaveTextContent('203.0.113.7 · in use now');
  expect(within(here ?? document.body).queryByRole('button')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'End Safari on iPhone' }));
  expect(seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Your password'), 'correct horse');
  await userEvent.click(dialog.getByRole('button', { name: 'End session' }));
  await waitFor(() => expect(dialog.queryByText('Safari on iPhone')).toBeNull());
  expect(seen).toContainEqual(
    expect.objectContaining({
      method: 'DELETE',
      path: '/api/auth/sessions/phone',
      body: { password: 'correct horse' },
    }),
  );
});

it('says when the sessions could not be loaded, and tries again', async () => {
  let broken = true;
  fakeServer({
    ...everything,
    'GET /api/auth/sessions': () =>
      broken ? refusal(429, 'Too many.', 'rate-limited') : { body: [session()] },
  });
  const { dialog } = await security();
  expect(await dialog.findByText('Your sessions could not be loaded.')).toBeVisible();
  broken = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Try again' }));
  expect(await dialog.findByText('Chrome on Windows')).toBeVisible();
});

it('signs out everywhere, for the password', async () => {
  const seen = fakeServer({ ...everything, 'DELETE /api/auth/sessions': { status: 204 } });
  const { page, dialog } = await security();
  await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
  expect(dialog.getByText(/Signs out every device, including this one/)).toBeVisible();
  expect(seen.filter(({ method }) => method === 'DELETE')).toEqual([]);
  await userEvent.type(dialog.getByLabelText('Your password'), 'correct horse');
  await userEvent.click(dialog.getByRole('button', { name: 'Sign out everywhere' }));
  await waitFor(() => expect(page.path()).toBe('/login'));
  expect(localStorage.getItem('token')).toBeNull();
});

it('changes the password', async () => {
  const seen = fakeServer({ ...everything, 'PUT /api/auth/password': { status: 204 } });
  const { dialog } = await security();
  await userEvent.type(dialog.getByLabelText('Current password'), 'correct horse');
  await userEvent.type(dialog.getByLabelText('New password'), 'another horse');
  await userEvent.click(dialog.getByRole('button', { name: 'Change password' }));
  expect(
    await screen.findByText('Your password was changed. You are signed out everywhere else.'),
  ).toBeVisible();
  expect(dialog.getByLabelText('Current password')).toHaveValue('');
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({
    currentPassword: 'correct horse',
    newPassword: 'another horse',
  });
});

it('stays signed in when the current password is wrong, and says so at its field', async () => {
  const sentence = 'This is not your current password.';
  fakeServer({
    ...everything,
    'PUT /api/auth/password': refusal(401, sentence, 'invalid-credentials', { currentPassword: sentence }),
  });
  const { page, dialog } = await security();
  await userEvent.type(dialog.getByLabelText('Current password'), 'wrong horse');
  await userEvent.type(dialog.getByLabelText('New password'), 'short');
  await userEvent.click(dialog.getByRole('button', { name: 'Change password' }));
  expect(await dialog.findByText('Use a password of at least 8 characters.')).toBeVisible();
  await userEvent.type(dialog.getByLabelText('New password'), ' no longer');
  await userEvent.click(dialog.getByRole('button', { name: 'Change password' }));
  expect(await dialog.findByText(sentence)).toBeVisible();
  expect(page.path()).toBe('/agents');
  expect(localStorage.getItem('token')).toBe('token-1');
});

it('takes everything along as a file, and says when it cannot', async () => {
  let isBusy = true;
  fakeServer({
    ...everything,
    'GET /api/auth/export': () =>
      isBusy ? refusal(429, 'Too many attempts.', 'rate-limited') : { body: 'an archive' },
  });
  vi.spyOn(URL, 'createObjectURL').mockReturnValue('blob:archive');
  const offered = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const { dialog } = await security();
  await userEvent.click(dialog.getByRole('button', { name: 'Download archive' }));
  expect(await screen.findByText('Too many attempts.')).toBeVisible();
  expect(offered).not.toHaveBeenCalled();
  isBusy = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Download archive' }));
  await waitFor(() => expect(offered).toHaveBeenCalledOnce());
});

it('deletes the account for the right password, and not before it was asked for', async () => {
  let answers = 0;
  const sentence = 'This is not your current password.';
  fakeServer({
    ...everything,
    'DELETE /api/auth/me': () =>
      ++answers === 1
        ? refusal(401, sentence, 'invalid-credentials', { password: sentence })
        : { status: 204 },
  });
  const { page, dialog } = await security();
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
  await userEvent.type(dialog.getByLabelText('Your password'), 'wrong');
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account for good' }));
  expect(await dialog.findByRole('alert')).toHaveTextContent(sentence);
  await userEvent.click(dialog.getByRole('button', { name: 'Delete account for good' }));
  await waitFor(() => expect(page.path()).toBe('/login'));
  expect(await screen.findByText('Your account and everything in it have been deleted.')).toBeVisible();
});

it('shows members and the log to owners alone', async () => {
  fakeServer(everything);
  const { dialog } = await security();
  expect(dialog.getAllByRole('tab').map((tab) => tab.textContent)).toEqual(['Calls', 'Account and security']);
});

it('tells owners who did what, when and from where, page by page', async () => {
  const entry = (_id: string, changes: object) => ({
    _id,
    at: '2026-11-22T09:05:00.000Z',
    actor: 'ada@example.com',
    action: 'sign-in',
    address: '203.0.113.7',
    ...changes,
  });
  let page = 0;
  fakeServer({
    ...everything,
    'GET /api/auth/me': { body: { ...ada, role: 'owner', isInstallationOwner: true } },
    'GET /api/audit': () =>
      ++page === 1
        ? {
            body: [
              entry('3', { action: 'role-changed', subject: 'bob@example.com: member to owner' }),
              entry('2', { actor: '', action: 'sign-in-refused' }),
            ],
            headers: { 'x-next-cursor': '2' },
          }
        : { body: [entry('1', {})] },
  });
  const { dialog } = await openSettings('Security log');
  const rows = async () => (await dialog.findAllByRole('listitem')).map((row) => row.textContent);
  await dialog.findByText('ada@example.com');
  expect(await rows()).toEqual([
    expect.stringMatching(/^ada@example\.com changed a role \(bob@example\.com: member to owner\).* · 203/),
    expect.stringMatching(/^Unknown person was refused: wrong email or password/),
  ]);
  await userEvent.click(dialog.getByRole('button', { name: 'Show older entries' }));
  await waitFor(async () => expect(await rows()).toHaveLength(3));
  expect(dialog.queryByRole('button', { name: 'Show older entries' })).toBeNull();
});

it('says what the log is for while nothing is in it', async () => {
  fakeServer({
    ...everything,
    'GET /api/auth/me': { body: { ...ada, role: 'owner', isInstallationOwner: true } },
    'GET /api/audit': { body: [] },
  });
  const { dialog } = await openSettings('Security log');
  expect(await dialog.findByText('Nothing yet')).toBeVisible();
});
