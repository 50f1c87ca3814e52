import { screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ada, fakeServer, openPage } from '#web/test-support';

const signedIn = { 'GET /api/auth/me': { body: ada }, 'GET /api/agents': { body: [] } };
const bar = async () => within(await screen.findByRole('navigation', { name: 'Main' }));

it.each([
  '/dashboard',
  '/conversations',
  '/conversations/conversation-1',
  '/call-simulator',
  '/live-call',
  '/unanswered',
  '/live-call/team',
  '/agents',
  '/agents/create',
  '/agents/edit/agent-1',
])('guards %s', async (address) => {
  fakeServer({});
  const { path } = openPage(address);
  await waitFor(() => expect(path()).toBe('/login'));
});

it.each(['/calls/Mia', '/history/Mia'])(
  'does not guard %s, which leads to the agents when no agent was handed over',
  async (address) => {
    fakeServer(signedIn);
    const { path } = openPage(address, 'token-1');
    await waitFor(() => expect(path()).toBe('/agents'));
  },
);

it.each([
  ['/login', undefined],
  ['/register', undefined],
  ['/nowhere', undefined],
  ['/agents', 'token-1'],
])('shows the bar with the product’s name, which leads home, at %s', async (address, token) => {
  fakeServer(signedIn);
  openPage(address, token);
  expect((await bar()).getByRole('link', { name: 'Sigma' })).toHaveAttribute('href', '/');
});

it('shows who is signed in, with the initial of their name', async () => {
  fakeServer(signedIn);
  openPage('/agents', 'token-1');
  expect(await (await bar()).findByText('Ada Lovelace')).toBeVisible();
  expect((await bar()).getByText('A')).toBeVisible();
});

it.each(['/live-call', '/live-call/team', '/live-call/a%20room'])(
  'marks Live Call as where one is at %s',
  async (address) => {
    fakeServer(signedIn);
    openPage(address, 'token-1');
    expect(await (await bar()).findByRole('link', { name: 'Live Call' })).toHaveAttribute(
      'aria-current',
      'page',
    );
    expect((await bar()).getByRole('link', { name: 'Dashboard' })).not.toHaveAttribute('aria-current');
  },
);
