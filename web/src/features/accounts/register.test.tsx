import { screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

async function fillIn(values: { name?: string; email?: string; password?: string; again?: string } = {}) {
  const { name = 'Ada Lovelace', email = 'ada@example.com', password = 'correct horse' } = values;
  const again = values.again ?? password;
  const write = async (label: string, text: string) => {
    if (text) await userEvent.type(await screen.findByLabelText(label), text);
  };
  await write('Full name', name);
  await write('Email address', email);
  await write('Password', password);
  await write('Confirm password', again);
}
const submit = async () => userEvent.click(await screen.findByRole('button', { name: 'Create Account' }));

it('shows the heading and the way back to signing in', async () => {
  fakeServer({});
  openPage('/register');
  expect(await screen.findByRole('heading', { name: 'Create Account' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Sign in here' })).toHaveAttribute('href', '/login');
});

it('says that the passwords do not match, and sends nothing', async () => {
  const requests = fakeServer({});
  openPage('/register');
  await fillIn({ again: 'correct house' });
  await submit();
  expect(await screen.findByText('Passwords do not match')).toBeVisible();
  expect(screen.getByLabelText('Confirm password')).toBeInvalid();
  expect(requests).toEqual([]);
});

it('takes the complaint back when the first password is made to match', async () => {
  fakeServer({});
  openPage('/register');
  await fillIn({ password: 'correct hors', again: 'correct horse' });
  await submit();
  expect(await screen.findByText('Passwords do not match')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Password'), 'e');
  expect(screen.queryByText('Passwords do not match')).toBeNull();
});

it('tells every mistake at once, each at its field', async () => {
  fakeServer({});
  openPage('/register');
  await fillIn({ name: '', email: 'ada', password: 'short', again: 'other' });
  await submit();
  expect(await screen.findByText('Enter your name.')).toBeVisible();
  expect(screen.getByLabelText('Email address')).toHaveAccessibleDescription('Enter a valid email address.');
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription(
    'Use a password of at least 8 characters.',
  );
  expect(screen.getByText('Passwords do not match')).toBeVisible();
});

it("shows the server's sentence, at the field too when it names one", async () => {
  fakeServer({
    'POST /api/auth/register': refusal(400, 'This password is too common.', 'invalid-input', {
      password: 'This password is too common.',
    }),
  });
  openPage('/register');
  await fillIn();
  await submit();
  expect(await screen.findByRole('alert')).toHaveTextContent('This password is too common.');
  expect(screen.getByLabelText('Password')).toHaveAccessibleDescription('This password is too common.');
});

it('has a sentence of its own when the server sends none', async () => {
  fakeServer({ 'POST /api/auth/register': { status: 502 } });
  openPage('/register');
  await fillIn();
  await submit();
  expect(await screen.findByRole('alert')).toHaveTextContent('Registration failed. Please try again.');
});

it('is busy while the server thinks', async () => {
  fakeServer({ 'POST /api/auth/register': never });
  openPage('/register');
  await fillIn();
  await submit();
  expect(await screen.findByRole('button', { name: 'Creating account...' })).toBeDisabled();
});

it('stores the token and goes to the dashboard', async () => {
  const requests = fakeServer({
    'POST /api/auth/register': { status: 201, body: { token: 'token-2', user: ada } },
  });
  const page = openPage('/register');
  await fillIn({ email: ' Ada@Example.com ' });
  await submit();
  expect(await screen.findByRole('heading', { name: 'Welcome back, Ada Lovelace!' })).toBeVisible();
  expect(page.path()).toBe('/dashboard');
  expect(localStorage.getItem('token')).toBe('token-2');
  expect(requests[0]?.body).toEqual({
    name: 'Ada Lovelace',
    email: 'ada@example.com',
    password: 'correct horse',
  });
});

it('marks every field as required and the address as an email address', async () => {
  fakeServer({});
  openPage('/register');
  expect(await screen.findByLabelText('Full name')).toBeRequired();
  expect(screen.getByLabelText('Email address')).toHaveAttribute('type', 'email');
  for (const name of ['Email address', 'Password', 'Confirm password'])
    expect(screen.getByLabelText(name, { exact: true })).toBeRequired();
});
