import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const email = () => screen.findByLabelText('Email address');
const password = () => screen.getByLabelText('Password');
const submit = () => screen.getByRole('button', { name: 'Sign in' });

async function fillIn() {
  await userEvent.type(await email(), 'ada@example.com');
  await userEvent.type(password(), 'correct horse');
}

it('shows the heading, the subtitle and the way to registration', async () => {
  fakeServer({});
  openPage('/login');
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(screen.getByText('Sign in to connect with customer support agents')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Create one now' })).toHaveAttribute('href', '/register');
  await waitFor(() => expect(document.title).toBe('Sign in · Sigma'));
});

it.each([
  ['nothing at all', '', ''],
  ['no password', 'ada@example.com', ''],
  ['no email', '', 'secret'],
  ['a blank email', '   ', 'secret'],
])('asks for both when given %s, and sends nothing', async (_case, mail, secret) => {
  const requests = fakeServer({});
  openPage('/login');
  if (mail) await userEvent.type(await email(), mail);
  if (secret) await userEvent.type(await screen.findByLabelText('Password'), secret);
  await userEvent.click(await screen.findByRole('button', { name: 'Sign in' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('Please enter both email and password');
  expect(requests.filter(({ method }) => method === 'POST')).toEqual([]);
});

it('says that the credentials are wrong in the specified words, and lets one try again', async () => {
  fakeServer({ 'POST /api/auth/login': refusal(401, 'Invalid email or password.', 'invalid-credentials') });
  const page = openPage('/login');
  await fillIn();
  await userEvent.click(submit());
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe('Failed to sign in. Please check your credentials.');
  expect(submit()).toBeEnabled();
  expect(page.path()).toBe('/login');
  expect(localStorage.getItem('token')).toBeNull();
});

it('adds the reason when something else than the credentials is wrong', async () => {
  fakeServer({
    'POST /api/auth/login': refusal(
      429,
      'Too many attempts. Please wait a moment and try again.',
      'rate-limited',
    ),
  });
  openPage('/login');
  await fillIn();
  await userEvent.click(submit());
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to sign in. Please check your credentials. Too many attempts. Please wait a moment and try again.',
  );
});

it('is busy while the server thinks', async () => {
  fakeServer({ 'POST /api/auth/login': never });
  openPage('/login');
  await fillIn();
  await userEvent.click(submit());
  expect(await screen.findByRole('button', { name: 'Signing in...' })).toBeDisabled();
});

it('stores the token and goes to the dashboard', async () => {
  const requests = fakeServer({ 'POST /api/auth/login': { body: { token: 'token-1', user: ada } } });
  const page = openPage('/login');
  await fillIn();
  await userEvent.keyboard('{Enter}');
  expect(await screen.findByRole('heading', { name: 'Welcome back, Ada Lovelace!' })).toBeVisible();
  expect(page.path()).toBe('/dashboard');
  expect(localStorage.getItem('token')).toBe('token-1');
  expect(requests.find(({ method }) => method === 'POST')).toMatchObject({
    body: { email: 'ada@example.com', password: 'correct horse' },
  });
  expect(requests.at(-1)?.authorization).toBe('Bearer token-1');
});

it('shows and hides the password', async () => {
  fakeServer({});
  openPage('/login');
  await screen.findByLabelText('Email address');
  expect(password()).toHaveAttribute('type', 'password');
  await userEvent.click(screen.getByRole('button', { name: 'Show password' }));
  expect(password()).toHaveAttribute('type', 'text');
  await userEvent.click(screen.getByRole('button', { name: 'Hide password' }));
  expect(password()).toHaveAttribute('type', 'password');
});

it('leaves the fields to password managers', async () => {
  fakeServer({});
  openPage('/login');
  expect(await email()).toHaveAttribute('autocomplete', 'username');
  expect(await email()).toHaveAttribute('type', 'email');
  expect(await email()).toBeRequired();
  expect(password()).toHaveAttribute('autocomplete', 'current-password');
});
