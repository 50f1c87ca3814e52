import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { defaultPreferences } from '#shared/preferences';
import { ada, fakeServer, openPage, openSettings, refusal } from '#web/test-support';

const workspaceId = 'workspace-1';
const me = { ...ada, workspaceId, role: 'owner', createdAt: '2026-11-01T09:00:00.000Z' };
const bob = {
  _id: 'user-bob',
  workspaceId,
  name: 'Bob',
  email: 'bob@example.com',
  role: 'member',
  createdAt: '2026-11-02T09:00:00.000Z',
};
const cleo = {
  _id: 'invitation-1',
  email: 'cleo@example.com',
  role: 'supervisor',
  createdAt: '2026-11-22T09:00:00.000Z',
  expiresAt: '2026-11-29T09:00:00.000Z',
};
const everything = {
  'GET /api/auth/me': { body: { ...ada, workspaceId, role: 'owner', isInstallationOwner: true } },
  'GET /api/agents': { body: [] },
  'GET /api/preferences': { body: defaultPreferences },
  'GET /api/members': { body: [me, bob] },
  'GET /api/invitations': { body: [] },
  'GET /api/settings/registration': { body: { mode: 'open' } },
  'GET /api/settings/second-factor': { body: { required: false } },
};

const openMembers = async () => (await openSettings('Members')).dialog;

it('lists who is here and gives somebody another role', async () => {
  const seen = fakeServer({
    ...everything,
    'PUT /api/members/user-bob': ({ body }) => ({ body: Object.assign({ ...bob }, body) }),
  });
  const dialog = await openMembers();
  expect((await dialog.findByText('Ada Lovelace')).closest('li')).toHaveTextContent('You');
  await userEvent.selectOptions(dialog.getByRole('combobox', { name: 'Role of Bob' }), 'Supervisor');
  await waitFor(() =>
    expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ role: 'supervisor' }),
  );
});

it('gives no role to somebody of another workspace', async () => {
  fakeServer({ ...everything, 'GET /api/members': { body: [me, { ...bob, workspaceId: 'workspace-2' }] } });
  const dialog = await openMembers();
  expect(await dialog.findByText('Another workspace')).toBeVisible();
  expect(dialog.queryByRole('combobox', { name: 'Role of Bob' })).toBeNull();
  expect(dialog.getByRole('button', { name: 'Remove Bob' })).toBeEnabled();
});

it('leaves what is the installation’s to its owners', async () => {
  const seen = fakeServer({
    ...everything,
    'GET /api/auth/me': { body: { ...ada, workspaceId, role: 'owner', isInstallationOwner: false } },
  });
  const dialog = await openMembers();
  expect(await dialog.findByText('Bob')).toBeVisible();
  expect(dialog.queryByRole('radio', { name: 'By invitation' })).toBeNull();
  expect(screen.queryByRole('tab', { name: 'Engines' })).toBeNull();
  expect(seen.some(({ path }) => path.startsWith('/api/settings'))).toBe(false);
});

it('says why a role stays, and shows it', async () => {
  const sentence = 'This is the last owner. Make somebody else an owner first: an installation needs one.';
  fakeServer({ ...everything, 'PUT /api/members/user-ada': refusal(409, sentence, 'conflict') });
  const dialog = await openMembers();
  const role = await dialog.findByRole('combobox', { name: 'Role of Ada Lovelace' });
  await userEvent.selectOptions(role, 'Member');
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(role).toHaveValue('owner');
});

it('removes somebody after a question, and never oneself', async () => {
  const members = [me, bob];
  fakeServer({
    ...everything,
    'GET /api/members': () => ({ body: members }),
    'DELETE /api/members/user-bob': () => {
      members.pop();
      return { status: 204 };
    },
  });
  const dialog = await openMembers();
  expect(await dialog.findByLabelText('Remove Ada Lovelace')).toBeDisabled();
  await userEvent.click(dialog.getByRole('button', { name: 'Remove Bob' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText(/Bob/)).toBeVisible();
  await userEvent.click(question.getByRole('button', { name: 'Remove member' }));
  expect(await dialog.findByText('You are the only member. Invite your colleagues below.')).toBeVisible();
});

it('makes a link for somebody, shown once, and withdraws it', async () => {
  const open: object[] = [];
  const link = 'https://care.example.com/register#invitation=secret&email=cleo%40example.com';
  fakeServer({
    ...everything,
    'GET /api/invitations': () => ({ body: open }),
    'POST /api/invitations': ({ body }) => {
      open.push(cleo);
      expect(body).toEqual({ email: 'cleo@example.com', role: 'supervisor' });
      return { status: 201, body: { ...cleo, link } };
    },
    'DELETE /api/invitations/invitation-1': () => {
      open.pop();
      return { status: 204 };
    },
  });
  const user = userEvent.setup();
  const dialog = await openMembers();
  await user.type(dialog.getByLabelText('Email address'), 'Cleo@example.com');
  await user.selectOptions(dialog.getByLabelText('Role'), 'Supervisor');
  await user.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByLabelText('Invitation link')).toHaveValue(link);
  await user.click(dialog.getByRole('button', { name: 'Copy link' }));
  expect(await navigator.clipboard.readText()).toBe(link);
  await user.click(
    await dialog.findByRole('button', { name: 'Withdraw the invitation for cleo@example.com' }),
  );
  await waitFor(() => expect(dialog.queryByLabelText('Invitation link')).toBeNull());
  expect(dialog.queryByText('cleo@example.com')).toBeNull();
});

it('says why a link was not made, at the field', async () => {
  fakeServer({
    ...everything,
    'POST /api/invitations': refusal(409, 'An account with this email already exists.', 'email-taken'),
  });
  const dialog = await openMembers();
  await userEvent.type(dialog.getByLabelText('Email address'), 'bob@example.com');
  await userEvent.click(dialog.getByRole('button', { name: 'Create link' }));
  expect(await dialog.findByText('An account with this email already exists.')).toBeVisible();
});

it('settles who may make an account', async () => {
  const seen = fakeServer({
    ...everything,
    'PUT /api/settings/registration': ({ body }) => ({ body }),
  });
  const dialog = await openMembers();
  await waitFor(() => expect(dialog.getByRole('radio', { name: 'Everyone' })).toBeChecked());
  await userEvent.click(dialog.getByRole('radio', { name: 'By invitation' }));
  await waitFor(() => expect(dialog.getByRole('radio', { name: 'By invitation' })).toBeChecked());
  expect(seen.find(({ method }) => method === 'PUT')?.body).toEqual({ mode: 'invitation' });
});

it('makes an account by an invitation, for the address it was made for', async () => {
  const seen = fakeServer({
    'POST /api/auth/register': { status: 201, body: { token: 'token-2', user: ada } },
  });
  const page = openPage('/register#invitation=secret-1&email=cleo%40example.com');
  expect(await screen.findByText('You are invited. Choose a name and a password.')).toBeVisible();
  expect(screen.getByLabelText('Email address')).toHaveValue('cleo@example.com');
  expect(screen.getByLabelText('Email address')).toHaveAttribute('readonly');
  await userEvent.type(screen.getByLabelText('Full name'), 'Cleo');
  for (const label of ['Password', 'Confirm password'])
    await userEvent.type(screen.getByLabelText(label), 'correct horse');
  await userEvent.click(screen.getByRole('button', { name: 'Create Account' }));
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
  expect(seen[0]?.body).toEqual({
    name: 'Cleo',
    email: 'cleo@example.com',
    password: 'correct horse',
    invitation: 'secret-1',
  });
});

it('signs somebody out everywhere', async () => {
  const here = { ...bob, lastUsedAt: '2026-11-22T09:00:00.000Z' };
  const seen = fakeServer({
    ...everything,
    'GET /api/members': { body: [me, here] },
    'DELETE /api/members/user-bob/sessions': { status: 204 },
  });
  const dialog = await openMembers();
  await userEvent.click(await dialog.findByRole('button', { name: 'Sign out Bob everywhere' }));
  expect(await screen.findByText('Bob is signed out everywhere.')).toBeVisible();
  expect(seen).toContainEqual(
    expect.objectContaining({ method: 'DELETE', path: '/api/members/user-bob/sessions' }),
  );
  expect(dialog.getByRole('button', { name: 'Sign out Ada Lovelace everywhere' })).toBeDisabled();
});
