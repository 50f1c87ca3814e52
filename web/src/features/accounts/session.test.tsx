import { screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const unknown = refusal(401, 'Please sign in to continue.', 'unauthenticated');
const signedIn = { 'GET /api/auth/me': { body: ada } };

it('sends the root address to the sign-in page', async () => {
  fakeServer({});
  const page = openPage('/');
  expect(await screen.findByRole('heading', { name: 'Welcome Back' })).toBeVisible();
  expect(page.path()).toBe('/login');
});

it('sends a signed-in visitor of the sign-in page on to the dashboard', async () => {
  fakeServer(signedIn);
  const page = openPage('/login', 'token-1');
  expect(await screen.findByRole('heading', { name: 'Welcome back, Ada Lovelace!' })).toBeVisible();
  expect(page.path()).toBe('/dashboard');
});

it('says Loading... while the token is being checked', async () => {
  fakeServer({ 'GET /api/auth/me': never });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('Loading...')).toBeInTheDocument();
  expect(screen.queryByRole('heading')).toBeNull();
});

it('sends an anonymous visitor to the sign-in page and replaces the history entry', async () => {
  fakeServer({});
  const page = openPage('/dashboard');
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(page.path()).toBe('/login');
  expect(page.router.state.historyAction).toBe('REPLACE');
});

it('brings people back to the page they wanted once they have signed in', async () => {
  fakeServer({
    'POST /api/auth/login': { body: { token: 'token-1', user: ada } },
    'GET /api/conversations': { body: [] },
  });
  const page = openPage('/conversations');
  await userEvent.type(await screen.findByLabelText('Email address'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  expect(await screen.findByRole('heading', { name: 'Conversation History' })).toBeVisible();
  expect(page.path()).toBe('/conversations');
});

it('forgets a token the server does not know, without a word', async () => {
  fakeServer({ 'GET /api/auth/me': unknown });
  openPage('/dashboard', 'stale');
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(localStorage.getItem('token')).toBeNull();
  expect(screen.queryByRole('status')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

it('signs out when a request finds the session gone, and says why', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': unknown });
  openPage('/conversations', 'token-1');
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(await screen.findByRole('status')).toHaveTextContent(
    'Your session has ended. Please sign in again.',
  );
  expect(localStorage.getItem('token')).toBeNull();
});

it('logs out: tells the server, forgets the token, goes to the sign-in page, and stays out of the way', async () => {
  const requests = fakeServer({
    ...signedIn,
    'POST /api/auth/logout': refusal(500, 'Something went wrong on our side. Please try again.', 'internal'),
    'POST /api/auth/login': { body: { token: 'token-2', user: ada } },
    'GET /api/conversations': { body: [] },
  });
  const page = openPage('/conversations', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(localStorage.getItem('token')).toBeNull();
  expect(requests).toContainEqual(
    expect.objectContaining({ path: '/api/auth/logout', authorization: 'Bearer token-1' }),
  );
  // Signing in after a sign-out starts at the dashboard, not at the previous user's page.
  await userEvent.type(screen.getByLabelText('Email address'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  await waitFor(() => expect(page.path()).toBe('/dashboard'));
});

it('follows a sign-out in another tab', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [] } });
  const page = openPage('/conversations', 'token-1');
  await screen.findByText('No conversations yet');
  localStorage.removeItem('token');
  window.dispatchEvent(new StorageEvent('storage', { key: 'token' }));
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(page.path()).toBe('/login');
});

it('shows the links of the signed in to the signed in, and of visitors to visitors', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [] } });
  openPage('/conversations', 'token-1');
  await screen.findByText('No conversations yet');
  for (const [name, href] of [
    ['Dashboard', '/dashboard'],
    ['Conversations', '/conversations'],
    ['Agents', '/agents'],
    ['Live Call', '/live-call'],
  ])
    expect(screen.getByRole('link', { name })).toHaveAttribute('href', href);
  expect(screen.getByText('Ada Lovelace')).toBeVisible();
  expect(screen.queryByRole('link', { name: 'Login' })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  expect(await screen.findByRole('link', { name: 'Login' })).toHaveAttribute('href', '/login');
  expect(screen.getByRole('link', { name: 'Register' })).toHaveAttribute('href', '/register');
  expect(screen.queryByRole('link', { name: 'Dashboard' })).toBeNull();
});

it('says so when an address leads nowhere', async () => {
  fakeServer({});
  openPage('/nowhere');
  expect(await screen.findByText('This page does not exist')).toBeVisible();
});
