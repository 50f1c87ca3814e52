import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

const owner = { ...ada, role: 'owner' };
const signedIn = { 'GET /api/auth/me': { body: owner } };
const maria = { _id: 'maria', name: 'Maria', email: 'maria@example.com', verified: true };
const caller = { _id: 'caller', phone: '+49 170 1234567', verified: false };
const own = { _id: ada._id, name: ada.name, email: ada.email, verified: true };
const created = new Date(2026, 10, 5, 15, 5).toISOString();
const conversation = {
  _id: 'conversation-1',
  title: 'Refund Of Kettle',
  agentName: 'Mia',
  channel: 'door',
  state: 'waiting',
  contact: maria,
  metadata: { sentiment: 'neutral', duration: 65, created, updated: created },
};
const message = {
  _id: 'message-1',
  role: 'user',
  author: { kind: 'contact' },
  content: 'Where is it?',
  timestamp: created,
};

/** The queries of every request for conversations, in order. */
function watchQueries(): Record<string, string>[] {
  const stub = globalThis.fetch;
  const seen: Record<string, string>[] = [];
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    const url = new URL(String(input), 'http://localhost');
    if (url.pathname === '/api/conversations') seen.push(Object.fromEntries(url.searchParams));
    return stub(input, init);
  });
  return seen;
}

it("shows everybody's conversations with whom they serve, and narrows them", async () => {
  fakeServer({
    ...signedIn,
    'GET /api/contacts': { body: [maria, own] },
    'GET /api/agents': {
      body: [
        {
          _id: 'agent-1',
          name: 'Mia',
          companyName: 'Contoso',
          personality: '',
          companyInfo: '',
          prompts: [],
        },
      ],
    },
    'GET /api/conversations': { body: [conversation] },
  });
  const queries = watchQueries();
  const page = openPage('/conversations', 'token-1');
  await userEvent.click(await screen.findByRole('radio', { name: 'Everybody’s' }));
  const card = within(await screen.findByRole('article'));
  expect(await card.findByText('Maria')).toBeVisible();
  expect(card.getByText('Mia · Website')).toBeVisible();
  expect(card.getByText('Waiting')).toBeVisible();
  expect(card.queryByRole('button')).toBeNull();
  await screen.findByRole('option', { name: 'Mia' });
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Agent' }), 'Mia');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Channel' }), 'Website');
  await userEvent.selectOptions(screen.getByRole('combobox', { name: 'State' }), 'Waiting');
  expect(queries.at(-1)).toEqual({
    ...{ view: 'summary', limit: '60', of: 'workspace' },
    ...{ agentId: 'agent-1', channel: 'door', state: 'waiting' },
  });
  expect(page.router.state.location.search).toBe('?of=workspace&agent=agent-1&channel=door&state=waiting');
});

it.each([
  ['somebody alone', owner, [own]],
  ['a member', { ...ada, role: 'member' }, [maria, own]],
])('changes nothing for %s', async (_who, user, contacts) => {
  const seen = fakeServer({
    'GET /api/auth/me': { body: user },
    'GET /api/contacts': { body: contacts },
    'GET /api/conversations': { body: [{ ...conversation, contact: undefined }] },
  });
  openPage('/conversations', 'token-1');
  expect(await screen.findByText('Refund Of Kettle')).toBeVisible();
  expect(screen.queryByRole('radio')).toBeNull();
  expect(screen.queryByRole('link', { name: 'Contacts' })).toBeNull();
  if (user.role === 'member') expect(seen.some(({ path }) => path === '/api/contacts')).toBe(false);
});

it("names the customer in somebody else's conversation, and offers neither to delete nor to go on with it", async () => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations/conversation-1': { body: { ...conversation, messages: [message] } },
  });
  openPage('/conversations/conversation-1', 'token-1');
  expect((await screen.findByText('Where is it?')).closest('article')).toHaveTextContent('Maria');
  expect(screen.queryByText('You')).toBeNull();
  expect(screen.queryByRole('button', { name: 'Delete' })).toBeNull();
  expect(screen.queryByRole('link', { name: 'Call again' })).toBeNull();
  expect(screen.getByRole('link', { name: 'All their conversations' })).toHaveAttribute(
    'href',
    '/contacts/maria',
  );
});

it('lists contacts by what is known of them, and finds some', async () => {
  const seen = fakeServer({ ...signedIn, 'GET /api/contacts': { body: [maria, caller] } });
  openPage('/contacts', 'token-1');
  expect(await screen.findByRole('link', { name: 'Maria' })).toHaveAttribute('href', '/contacts/maria');
  expect(screen.getByRole('link', { name: '+49 170 1234567' })).toBeVisible();
  const before = seen.length;
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search contacts' }), 'mar');
  await vi.waitFor(() => expect(seen.length).toBeGreaterThan(before));
});

it('deletes a contact after a question, and goes back to the list', async () => {
  let deleted = 0;
  fakeServer({
    ...signedIn,
    'GET /api/contacts': { body: [caller] },
    'GET /api/contacts/maria': { body: { ...maria, conversations: [] } },
    'GET /api/conversations': { body: [conversation] },
    'DELETE /api/contacts/maria': () => {
      deleted += 1;
      return { body: null };
    },
  });
  const page = openPage('/contacts/maria', 'token-1');
  expect(await screen.findByText('Refund Of Kettle')).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Delete contact' }));
  const question = within(await screen.findByRole('alertdialog'));
  expect(question.getByText('Are you sure you want to delete this contact?')).toBeVisible();
  expect(deleted).toBe(0);
  await userEvent.click(question.getByRole('button', { name: 'Delete contact' }));
  await vi.waitFor(() => expect(page.path()).toBe('/contacts'));
  expect(deleted).toBe(1);
});

it('says why a contact cannot be deleted', async () => {
  const why = 'This contact is a member of the workspace. Remove the member instead.';
  fakeServer({
    ...signedIn,
    'GET /api/contacts/maria': { body: { ...maria, conversations: [] } },
    'DELETE /api/contacts/maria': refusal(409, why, 'conflict'),
  });
  const page = openPage('/contacts/maria', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete contact' }));
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Delete contact' }),
  );
  expect(await screen.findByText(why)).toBeVisible();
  expect(page.path()).toBe('/contacts/maria');
});
