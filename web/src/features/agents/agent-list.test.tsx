import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';
import { anAgent } from './test-agents.ts';

const signedIn = { 'GET /api/auth/me': { body: ada } };

/** A call that never connects. */
vi.mock('#web/lib/server/socket', () => ({ openRealtime: () => ({ close() {} }) }));

const two = [anAgent(), anAgent({ _id: 'agent-2', name: 'Noor', companyName: 'Fabrikam' })];
const listing = (agents: object[] = two) => ({ ...signedIn, 'GET /api/agents': { body: agents } });
const card = (name: string) => {
  const article = screen.getByRole('heading', { name }).closest('article');
  if (!article) throw new Error(`There is no card of ${name}.`);
  return within(article);
};

it('shows each agent with its name, company and personality, in the order of the server', async () => {
  fakeServer(listing());
  openPage('/agents', 'token-1');
  expect(await screen.findByRole('heading', { level: 1, name: 'AI Agents' })).toBeVisible();
  await screen.findByText('Mia');
  expect(screen.getAllByRole('article').map((each) => each.querySelector('h2')?.textContent)).toEqual([
    'Mia',
    'Noor',
  ]);
  expect(card('Mia').getByText('Contoso Bikes')).toBeVisible();
  expect(card('Mia').getByText('Friendly and brief.')).toHaveClass('line-clamp-3');
  expect(screen.getByRole('link', { name: 'Create New Agent' })).toHaveAttribute('href', '/agents/create');
});

it('takes every text of an agent as text', async () => {
  const html = '<img src=x onerror="window.hacked=true">';
  fakeServer(listing([anAgent({ name: html, companyName: '<b>bold</b>', personality: 'שלום <i>x</i>' })]));
  openPage('/agents', 'token-1');
  expect(await screen.findByRole('heading', { name: html })).toBeVisible();
  expect(screen.getByText('<b>bold</b>')).toBeVisible();
  expect(screen.getByText('שלום <i>x</i>')).toHaveAttribute('dir', 'auto');
  expect(document.querySelector('img')).toBeNull();
});

it('invites to a first agent when there are none', async () => {
  fakeServer(listing([]));
  const page = openPage('/agents', 'token-1');
  expect(await screen.findByText('No agents created yet')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Create Your First Agent' }));
  expect(await screen.findByRole('heading', { name: 'Create New Agent' })).toBeVisible();
  expect(page.path()).toBe('/agents/create');
});

it('keeps the place of the cards while they are coming', async () => {
  fakeServer({ ...signedIn, 'GET /api/agents': never });
  openPage('/agents', 'token-1');
  expect(await screen.findByRole('status', { name: 'Loading agents' })).toBeInTheDocument();
});

it('only logs a failed listing, and keeps a quiet way on', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  let fails = true;
  fakeServer({
    ...signedIn,
    'GET /api/agents': () =>
      fails ? refusal(404, 'This page does not exist.', 'not-found') : { body: [anAgent()] },
  });
  openPage('/agents', 'token-1');
  const again = await screen.findByRole('button', { name: 'Try again' });
  expect(screen.queryByRole('alert')).toBeNull();
  expect(screen.queryByText('No agents created yet')).toBeNull();
  expect(screen.queryByText('This page does not exist.')).toBeNull();
  expect(log).toHaveBeenCalledWith('The agents could not be listed.', expect.anything());
  fails = false;
  await userEvent.click(again);
  expect(await screen.findByRole('heading', { name: 'Mia' })).toBeVisible();
});

it('has a tab for viewing and one for creating, which shows the form', async () => {
  fakeServer(listing());
  const page = openPage('/agents', 'token-1');
  const view = await screen.findByRole('tab', { name: 'View Agents' });
  expect(view).toHaveAttribute('aria-selected', 'true');
  await userEvent.click(screen.getByRole('tab', { name: 'Create Agent' }));
  expect(await screen.findByLabelText('Agent Name')).toBeVisible();
  expect(screen.queryByRole('article')).toBeNull();
  expect(page.path()).toBe('/agents');
  await userEvent.click(screen.getByRole('tab', { name: 'View Agents' }));
  expect(await screen.findByRole('heading', { name: 'Mia' })).toBeVisible();
});

it('opens one card menu at a time', async () => {
  fakeServer(listing());
  openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'More about Mia' }));
  expect(await screen.findByRole('menuitem', { name: 'Edit Agent' })).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'More about Noor' }));
  await waitFor(() => expect(screen.getAllByRole('menu')).toHaveLength(1));
  expect(screen.getByRole('button', { name: 'More about Noor' })).toHaveAttribute('aria-expanded', 'true');
  expect(screen.getByRole('button', { name: 'More about Mia' })).toHaveAttribute('aria-expanded', 'false');
});

it('leads to the form of an agent', async () => {
  fakeServer({ ...listing(), 'GET /api/agents/agent-2': { body: two[1] } });
  const page = openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'More about Noor' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Edit Agent' }));
  await waitFor(() => expect(page.path()).toBe('/agents/edit/agent-2'));
});

it('asks before it deletes, and deletes nothing when the answer is no', async () => {
  const requests = fakeServer(listing());
  openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'More about Mia' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete Agent' }));
  expect(await screen.findByRole('alertdialog')).toHaveAccessibleName(
    'Are you sure you want to delete this agent?',
  );
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(requests.filter(({ method }) => method === 'DELETE')).toEqual([]);
});

it('deletes an agent and takes its card away', async () => {
  let agents = two;
  const requests = fakeServer({
    ...signedIn,
    'GET /api/agents': () => ({ body: agents }),
    'DELETE /api/agents/agent-1': () => {
      agents = two.slice(1);
      return { body: { message: 'The agent was deleted.' } };
    },
  });
  openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'More about Mia' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete Agent' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete Agent' }));
  await waitFor(() => expect(screen.queryByRole('heading', { name: 'Mia' })).toBeNull());
  expect(screen.getByRole('heading', { name: 'Noor' })).toBeVisible();
  expect(requests).toContainEqual(
    expect.objectContaining({ path: '/api/agents/agent-1', authorization: 'Bearer token-1' }),
  );
});

it('only logs a failed deletion: the card stays', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({ ...listing(), 'DELETE /api/agents/agent-1': refusal(503, 'Away.', 'unavailable') });
  openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'More about Mia' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Delete Agent' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Delete Agent' }));
  await waitFor(() => expect(log).toHaveBeenCalledWith('The agent was not deleted.', expect.anything()));
  expect(screen.getByRole('heading', { name: 'Mia', hidden: true })).toBeInTheDocument();
  expect(screen.queryByRole('alert')).toBeNull();
});

it.each([
  ['Start Call', '/calls/'],
  ['View History', '/history/'],
])('%s hands the agent over in navigation state', async (button, path) => {
  const name = 'Mia & 50% / ü?';
  fakeServer(listing([anAgent({ name })]));
  const page = openPage('/agents', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: button }));
  await waitFor(() => expect(page.path()).toBe(`${path}${encodeURIComponent(name)}`));
  const { createdAt: _, updatedAt: __, ...handedOver } = anAgent({ name });
  expect(page.router.state.location.state).toEqual(expect.objectContaining({ agent: handedOver }));
});

it('lets a member of the workspace call its agents, and change none', async () => {
  fakeServer({ ...listing(), 'GET /api/auth/me': { body: { ...ada, role: 'member' } } });
  openPage('/agents?tab=create', 'token-1');
  await screen.findByText('Mia');
  expect(screen.getByText('The agents of your workspace, for you to call.')).toBeVisible();
  expect(card('Mia').getByRole('button', { name: 'Start Call' })).toBeEnabled();
  for (const name of [/create/i, /more about/i]) expect(screen.queryByRole('button', { name })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Create New Agent' })).toBeNull();
});

it('sends a member of a workspace without agents to those who make them', async () => {
  fakeServer({ ...listing([]), 'GET /api/auth/me': { body: { ...ada, role: 'member' } } });
  openPage('/agents', 'token-1');
  expect(
    await screen.findByText('Ask an owner or a supervisor of your workspace to create one.'),
  ).toBeVisible();
});
