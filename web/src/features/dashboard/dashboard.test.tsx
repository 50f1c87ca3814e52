import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const STATS = `GET /api/conversations/stats/user/${ada._id}`;
const signedIn = { 'GET /api/auth/me': { body: ada }, 'GET /api/conversations': { body: [] } };
const stats = {
  totalCalls: 1204,
  averageDuration: 135,
  lastActivity: new Date(Date.now() - 5 * 60_000).toISOString(),
  totalMessages: 17,
  companiesInteractedWith: ['Northwind', 'Contoso'],
  sentimentBreakdown: { positive: 3, neutral: 1, negative: 1, urgent: 0 },
};

/** The figure that stands under a name. */
const figure = async (name: string) =>
  (await screen.findByText(name)).closest('div')?.querySelector('dd')?.textContent;

it('greets by name and leads to a new call and to the conversations', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByRole('heading', { name: 'Welcome back, Ada Lovelace!' })).toBeVisible();
  expect(screen.getByText('Monitor your automated customer service performance.')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start New Call' })).toHaveAttribute('href', '/call-simulator');
  expect(screen.getByRole('link', { name: /^View Conversations/ })).toHaveAttribute('href', '/conversations');
});

it('shows the figures of the user', async () => {
  const requests = fakeServer({ ...signedIn, [STATS]: { body: stats } });
  openPage('/dashboard', 'token-1');
  await screen.findByText('1,204');
  expect(await figure('Average Duration')).toBe('2m 15s');
  expect(await figure('Last Activity')).toBe('5 minutes ago');
  expect(await figure('Business Contexts')).toBe('2');
  expect(await figure('Messages')).toBe('17');
  expect(screen.getByText('80%')).toBeVisible();
  expect(
    screen.getByRole('img', {
      name: 'Conversations by sentiment: 3 positive, 1 neutral, 1 negative, 0 urgent.',
    }),
  ).toBeVisible();
  expect(requests.find((request) => request.path.includes('stats'))?.authorization).toBe('Bearer token-1');
});

it("shows '...' while they are loading", async () => {
  fakeServer({ ...signedIn, [STATS]: never });
  openPage('/dashboard', 'token-1');
  await screen.findByText('Total Calls');
  for (const name of ['Total Calls', 'Average Duration', 'Last Activity', 'Business Contexts', 'Messages'])
    expect(await figure(name)).toBe('...');
});

it('shows zeros when they cannot be loaded, and logs it only', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({ ...signedIn, [STATS]: refusal(403, 'You may not see this.', 'forbidden') });
  openPage('/dashboard', 'token-1');
  expect(await screen.findByText('0s')).toBeVisible();
  expect(await figure('Total Calls')).toBe('0');
  expect(await figure('Last Activity')).toBe('Never');
  expect(screen.getByText('0%')).toBeVisible();
  expect(screen.queryByRole('alert')).toBeNull();
  expect(log).toHaveBeenCalledWith('The statistics could not be loaded.', expect.anything());
});

it('reads "Never" when the last activity is no time', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, lastActivity: 'soonish' } } });
  openPage('/dashboard', 'token-1');
  await screen.findByText('1,204');
  expect(await figure('Last Activity')).toBe('Never');
});

it('offers the demo agent to somebody who has not called yet', async () => {
  fakeServer({ ...signedIn, [STATS]: { body: { ...stats, totalCalls: 0 } } });
  openPage('/dashboard', 'token-1');
  const invitation = await screen.findByText('Your first call is one click away');
  const card = invitation.parentElement;
  if (!card) throw new Error('The invitation stands nowhere.');
  expect(within(card).getByRole('link', { name: 'Call Sigma' })).toHaveAttribute('href', '/call-simulator');
});
