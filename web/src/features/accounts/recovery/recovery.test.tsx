import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

const options = (changes: object = {}) => ({
  'GET /api/auth/options': { body: { passwordReset: true, provider: null, ...changes } },
});
const link = '/reset-password#token=secret-1';

it('offers a new password where mail is sent, and nowhere else', async () => {
  fakeServer(options());
  openPage('/login');
  expect(await screen.findByRole('link', { name: 'Forgot your password?' })).toHaveAttribute(
    'href',
    '/forgot-password',
  );
});

it('offers none where no mail is sent', async () => {
  const requests = fakeServer(options({ passwordReset: false }));
  openPage('/login');
  await waitFor(() => expect(requests).toHaveLength(1));
  expect(screen.queryByRole('link', { name: 'Forgot your password?' })).toBeNull();
});

it('asks for a link, and says the same whether or not there is an account', async () => {
  const requests = fakeServer({ 'POST /api/auth/password-reset': { status: 202, body: { message: '' } } });
  openPage('/forgot-password');
  const field = await screen.findByLabelText('Email address');
  await userEvent.type(field, 'ada{Enter}');
  expect(await screen.findByText('Enter a valid email address.')).toBeVisible();
  await userEvent.type(field, '@Example.com{Enter}');
  expect(await screen.findByRole('status')).toHaveTextContent(
    'If this address has an account, a link is on its way.',
  );
  expect(requests).toEqual([expect.objectContaining({ body: { email: 'ada@example.com' } })]);
});

it('says when mail cannot be sent', async () => {
  const sentence = 'E-mail cannot be sent at the moment. Please try again in a few minutes.';
  fakeServer({ 'POST /api/auth/password-reset': refusal(503, sentence, 'unavailable') });
  openPage('/forgot-password');
  await userEvent.type(await screen.findByLabelText('Email address'), 'ada@example.com{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
});

it('sets the new password by the link, and leads to the sign-in, also for who is signed in', async () => {
  const requests = fakeServer({
    'GET /api/auth/me': { body: ada },
    'POST /api/auth/password-reset/confirm': { status: 204 },
  });
  const page = openPage(link, 'token-1');
  await userEvent.type(await screen.findByLabelText('New password'), 'another horse{Enter}');
  await waitFor(() => expect(page.path()).toBe('/login'));
  expect(await screen.findByText('Your password was changed. Sign in with the new one.')).toBeVisible();
  expect(localStorage.getItem('token')).toBeNull();
  expect(requests).toContainEqual(
    expect.objectContaining({
      body: { token: 'secret-1', newPassword: 'another horse' },
      authorization: null,
    }),
  );
});

it('says why a password or a link is not taken', async () => {
  const easy = 'This password is one of the most common ones. Choose another.';
  const used = 'This link has been used or has expired. Ask for a new one.';
  const answers = [
    refusal(400, easy, 'invalid-input', { newPassword: easy }),
    refusal(400, used, 'invalid-input', { token: used }),
  ];
  fakeServer({ 'POST /api/auth/password-reset/confirm': () => answers.shift() ?? { status: 204 } });
  openPage(link);
  const field = await screen.findByLabelText('New password');
  await userEvent.type(field, 'password1{Enter}');
  await waitFor(() => expect(field).toHaveAccessibleDescription(easy));
  await userEvent.type(field, ' and more{Enter}');
  expect(await screen.findByRole('alert')).toHaveTextContent(used);
});

it('says that a cut link is not complete', async () => {
  fakeServer({});
  openPage('/reset-password');
  expect(await screen.findByRole('alert')).toHaveTextContent('This link is incomplete.');
});
