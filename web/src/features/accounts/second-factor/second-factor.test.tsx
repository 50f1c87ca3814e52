import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { defaultPreferences } from '#shared/preferences';
import { ada, fakeServer, openPage, openSettings, refusal, type SeenRequest } from '#web/test-support';

const codes = Array.from({ length: 10 }, (_, n) => `code-${n}`);
const proposal = {
  secret: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  address: 'otpauth://totp/Sigma:ada@example.com?secret=GEZDGNBVGY3TQOJQ',
};
const wrongCode = 'This code is wrong, was used already or is too old.';
const isOn = { on: true, recoveryCodesLeft: 10, required: false };
const isOff = { on: false, recoveryCodesLeft: 0, required: false };
const everything = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [] },
  'GET /api/preferences': { body: defaultPreferences },
  'GET /api/auth/sessions': { body: [] },
};

const openTab = async (name: string) => (await openSettings(name)).dialog;
const openSecurity = () => openTab('Account and security');
const section = async (dialog: ReturnType<typeof within>) =>
  within((await dialog.findByRole('heading', { name: 'Second factor' })).closest('section') ?? document.body);
const bodies = (seen: SeenRequest[], method: string, path: string) =>
  seen.filter((request) => request.method === method && request.path === path).map(({ body }) => body);

it('is set up with the password, the picture or the secret, and a first code', async () => {
  let state: object = isOff;
  const answers = [
    refusal(401, wrongCode, 'invalid-credentials', { code: wrongCode }),
    { body: { recoveryCodes: codes } },
  ];
  const seen = fakeServer({
    ...everything,
    'GET /api/auth/second-factor': () => ({ body: state }),
    'POST /api/auth/second-factor': { body: proposal },
    'POST /api/auth/second-factor/confirm': () => {
      const answer = answers.shift() ?? {};
      if (answers.length === 0) state = isOn;
      return answer;
    },
  });
  const part = await section(await openSecurity());
  await userEvent.click(await part.findByRole('button', { name: 'Set up' }));
  await userEvent.type(part.getByLabelText('Your password'), 'correct horse{Enter}');
  expect(await part.findByRole('img', { name: 'QR code for your authenticator app' })).toBeVisible();
  expect(part.getByText('GEZD GNBV GY3T QOJQ GEZD GNBV GY3T QOJQ')).toBeVisible();
  await userEvent.type(part.getByLabelText('Code from the app'), '000000{Enter}');
  expect(await part.findByRole('alert')).toHaveTextContent(wrongCode);
  await userEvent.type(part.getByLabelText('Code from the app'), '123456{Enter}');
  const list = await part.findByRole('list', { name: 'Recovery codes' });
  expect(
    within(list)
      .getAllByRole('listitem')
      .map((item) => item.textContent),
  ).toEqual(codes);
  await userEvent.click(part.getByRole('button', { name: 'I have saved them' }));
  expect(await part.findByText('10 recovery codes are left.')).toBeVisible();
  expect(part.queryByText('code-0')).toBeNull();
  expect(bodies(seen, 'POST', '/api/auth/second-factor')).toEqual([{ password: 'correct horse' }]);
});

it('is turned off for the password', async () => {
  let state: object = isOn;
  const seen = fakeServer({
    ...everything,
    'GET /api/auth/second-factor': () => ({ body: state }),
    'DELETE /api/auth/second-factor': () => {
      state = isOff;
      return { status: 204 };
    },
  });
  const part = await section(await openSecurity());
  await userEvent.click(await part.findByRole('button', { name: 'Turn off' }));
  await userEvent.type(part.getByLabelText('Your password'), 'correct horse');
  await userEvent.click(part.getByRole('button', { name: 'Turn it off' }));
  expect(await part.findByRole('button', { name: 'Set up' })).toBeVisible();
  expect(bodies(seen, 'DELETE', '/api/auth/second-factor')).toEqual([{ password: 'correct horse' }]);
});

it('cannot be turned off where everybody needs one, and gives new recovery codes', async () => {
  fakeServer({
    ...everything,
    'GET /api/auth/second-factor': { body: { ...isOn, required: true, recoveryCodesLeft: 1 } },
    'POST /api/auth/second-factor/recovery-codes': { body: { recoveryCodes: codes } },
  });
  const part = await section(await openSecurity());
  expect(await part.findByText('1 recovery code is left.')).toBeVisible();
  expect(part.queryByRole('button', { name: 'Turn off' })).toBeNull();
  await userEvent.click(part.getByRole('button', { name: 'New recovery codes' }));
  await userEvent.type(part.getByLabelText('Your password'), 'correct horse{Enter}');
  expect(await part.findByText('code-9')).toBeVisible();
});

it('is asked for in a second step of the sign-in', async () => {
  const seen = fakeServer({
    'POST /api/auth/login': ({ body }) => {
      const { code } = Object(body) as { code?: string };
      if (code === undefined) return refusal(401, 'Enter the code, too.', 'second-factor-needed');
      if (code === '123456') return { body: { token: 'token-1', user: ada } };
      return refusal(401, wrongCode, 'invalid-credentials', { code: wrongCode });
    },
  });
  const page = openPage('/login');
  await userEvent.type(await screen.findByLabelText('Email address'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  const code = await screen.findByLabelText('Code');
  expect(code).toHaveAttribute('autocomplete', 'one-time-code');
  await userEvent.type(code, '000000{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(wrongCode);
  await userEvent.clear(code);
  await userEvent.type(code, '123456{Enter}');
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
  expect(bodies(seen, 'POST', '/api/auth/login').at(-1)).toEqual({
    email: 'ada@example.com',
    password: 'correct horse',
    code: '123456',
  });
});

it('keeps whoever needs one at its page until it is set up', async () => {
  fakeServer({
    ...everything,
    'GET /api/auth/me': { body: { ...ada, mustSetUpSecondFactor: true } },
    'POST /api/auth/second-factor': { body: proposal },
    'POST /api/auth/second-factor/confirm': { body: { recoveryCodes: codes } },
  });
  const page = openPage('/agents', 'token-1');
  expect(await screen.findByRole('heading', { name: 'Set up a second factor' })).toBeVisible();
  expect(page.path()).toBe('/second-factor');
  expect(screen.queryByRole('link', { name: 'Agents' })).toBeNull();
  expect(screen.getByRole('button', { name: 'Sign out' })).toBeVisible();
  await userEvent.type(screen.getByLabelText('Your password'), 'correct horse{Enter}');
  await userEvent.type(await screen.findByLabelText('Code from the app'), '123456{Enter}');
  await userEvent.click(await screen.findByRole('button', { name: 'I have saved them' }));
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
  expect(screen.getByRole('link', { name: 'Agents' })).toBeVisible();
});

it('is needed by everybody when an owner says so', async () => {
  const seen = fakeServer({
    ...everything,
    'GET /api/auth/me': { body: { ...ada, role: 'owner', isInstallationOwner: true } },
    'GET /api/members': { body: [] },
    'GET /api/invitations': { body: [] },
    'GET /api/settings/registration': { body: { mode: 'open' } },
    'GET /api/settings/second-factor': { body: { required: false } },
    'PUT /api/settings/second-factor': { body: { required: true } },
  });
  const dialog = await openTab('Members');
  const toggle = await dialog.findByRole('switch', { name: 'Required for everyone' });
  await waitFor(() => expect(toggle).toBeEnabled());
  await userEvent.click(toggle);
  await waitFor(() => expect(toggle).toBeChecked());
  expect(bodies(seen, 'PUT', '/api/settings/second-factor')).toEqual([{ required: true }]);
});
