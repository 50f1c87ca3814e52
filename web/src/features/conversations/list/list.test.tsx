import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const signedIn = { 'GET /api/auth/me': { body: ada } };
const created = new Date(2026, 10, 5, 15, 5).toISOString();
const aConversation = (n: number, title = `Conversation ${n}`) => ({
  _id: `conversation-${n}`,
  title,
  metadata: { sentiment: 'positive', duration: 65, created, updated: created },
});
const range = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, place) => aConversation(from + place));

/** The queries of every request for the list, in order. */
function watchQueries(): () => Record<string, string>[] {
  const stub = globalThis.fetch;
  const seen: Record<string, string>[] = [];
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    const url = new URL(String(input), 'http://localhost');
    if (url.pathname === '/api/conversations') seen.push(Object.fromEntries(url.searchParams));
    return stub(input, init);
  });
  return () => seen;
}

it('loads further pages by itself, and knows only the cards near the screen', async () => {
  let asked = 0;
  fakeServer({
    ...signedIn,
    'GET /api/conversations': () => {
      asked += 1;
      return asked === 1
        ? { body: range(0, 3), headers: { 'x-next-cursor': 'more' } }
        : { body: range(3, 303) };
    },
  });
  const queries = watchQueries();
  openPage('/conversations', 'token-1');
  expect(await screen.findByText('Conversation 4')).toBeVisible();
  expect(queries()).toEqual([
    { view: 'summary', limit: '60' },
    { view: 'summary', limit: '60', cursor: 'more' },
  ]);
  const items = screen.getAllByRole('listitem').filter((item) => item.hasAttribute('aria-posinset'));
  expect(items.length).toBeLessThan(100);
  expect(items[1]).toHaveAttribute('aria-posinset', '2');
  expect(items[1]).toHaveAttribute('aria-setsize', '303');
});

it('goes from card to card by the arrow keys', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: range(0, 9) } });
  openPage('/conversations', 'token-1');
  (await screen.findByRole('link', { name: 'Conversation 0' })).focus();
  await userEvent.keyboard('{ArrowRight}');
  expect(screen.getByRole('link', { name: 'Conversation 1' })).toHaveFocus();
  await userEvent.keyboard('{Home}');
  expect(screen.getByRole('link', { name: 'Conversation 0' })).toHaveFocus();
  await userEvent.keyboard('{ArrowLeft}');
  expect(screen.getByRole('link', { name: 'Conversation 0' })).toHaveFocus();
});

it('searches while one types, keeps the search in the address and counts what it found', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: range(0, 2) } });
  const queries = watchQueries();
  const { router } = openPage('/conversations', 'token-1');
  await screen.findAllByRole('article');
  await userEvent.type(screen.getByRole('searchbox', { name: 'Search conversations' }), 'late par');
  expect(await screen.findByText('2 conversations match')).toBeVisible();
  await expect.poll(() => queries().at(-1)).toEqual({ view: 'summary', limit: '60', q: 'late par' });
  expect(router.state.location.search).toBe('?q=late+par');
  await userEvent.click(screen.getByRole('button', { name: 'Clear search' }));
  await waitFor(() => expect(router.state.location.search).toBe(''));
  expect(screen.getByRole('searchbox')).toHaveValue('');
});

it('filters by sentiment and period, and Back takes the filters off again', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: range(0, 1) } });
  const queries = watchQueries();
  const { router } = openPage('/conversations', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Urgent' }));
  await userEvent.click(screen.getByRole('button', { name: 'Negative' }));
  expect(await screen.findByText('1 conversation matches')).toBeVisible();
  expect(router.state.location.search).toBe('?sentiment=negative%2Curgent');
  expect(queries().at(-1)).toMatchObject({ sentiment: 'negative,urgent' });
  await userEvent.click(screen.getByRole('button', { name: 'Period: Any time' }));
  await userEvent.click(await screen.findByRole('menuitem', { name: 'Last 7 days' }));
  expect(router.state.location.search).toBe('?sentiment=negative%2Curgent&period=7d');
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ from: expect.stringMatching(/^20/) }));
  await router.navigate(-1);
  await router.navigate(-1);
  await waitFor(() =>
    expect(screen.getByRole('button', { name: 'Negative' })).toHaveAttribute('aria-pressed', 'false'),
  );
  expect(screen.getByRole('button', { name: 'Urgent' })).toHaveAttribute('aria-pressed', 'true');
});

it('finds who needs a colleague, and keeps that in the address', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: range(0, 1) } });
  const queries = watchQueries();
  const { router } = openPage('/conversations', 'token-1');
  const outcomes = within(await screen.findByRole('group', { name: 'Outcome' }));
  await userEvent.click(outcomes.getByRole('button', { name: 'Not answered' }));
  await userEvent.click(outcomes.getByRole('button', { name: 'Needs a colleague' }));
  expect(router.state.location.search).toBe('?outcome=handover%2Cdeclined');
  await waitFor(() => expect(queries().at(-1)).toMatchObject({ outcome: 'handover,declined' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Clear filters' }));
  expect(router.state.location.search).toBe('');
  expect(outcomes.getByRole('button', { name: 'Needs a colleague' })).toHaveAttribute(
    'aria-pressed',
    'false',
  );
});

it('opens with the filters of its address, and says when nothing matches them', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [] } });
  const queries = watchQueries();
  const { router } = openPage('/conversations?q=zebra&from=2026-11-01&to=2026-11-20', 'token-1');
  expect(await screen.findByText('No conversations match')).toBeVisible();
  expect(screen.queryByText('No conversations yet')).toBeNull();
  expect(screen.getByRole('searchbox')).toHaveValue('zebra');
  expect(screen.getByLabelText('From')).toHaveValue('2026-11-01');
  expect(queries()[0]).toMatchObject({
    q: 'zebra',
    to: new Date(2026, 10, 20, 23, 59, 59, 999).toISOString(),
  });
  await userEvent.click(screen.getByRole('button', { name: 'Clear filters' }));
  expect(await screen.findByText('No conversations yet')).toBeVisible();
  expect(router.state.location.search).toBe('');
});

it('asks before it deletes, and takes the card away without asking for the list again', async () => {
  const seen = fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: range(0, 2) },
    'DELETE /api/conversations/conversation-0': { body: { message: 'The conversation was deleted.' } },
  });
  openPage('/conversations', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Conversation 0' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  expect(dialog.getByText('Are you sure you want to delete this conversation?')).toBeVisible();
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Delete Conversation 0' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Conversation' }));
  await waitFor(() => expect(screen.queryByText('Conversation 0')).toBeNull());
  expect(screen.getByText('Conversation 1')).toBeVisible();
  expect(seen.filter(({ path }) => path === '/api/conversations')).toHaveLength(1);
});

it('keeps the card of a conversation that could not be deleted, and logs it only', async () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: range(0, 1) },
    'DELETE /api/conversations/conversation-0': refusal(503, 'Not now.', 'unavailable'),
  });
  openPage('/conversations', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Conversation 0' }));
  await userEvent.click(await screen.findByRole('button', { name: 'Delete Conversation' }));
  await waitFor(() =>
    expect(warn).toHaveBeenCalledWith('The conversation was not deleted.', expect.anything()),
  );
  expect(screen.getByText('Conversation 0')).toBeVisible();
  expect(screen.queryByText('Not now.')).toBeNull();
});

it('reanalyzes the sentiment, says how many changed and loads the list again', async () => {
  const seen = fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: range(0, 1) },
    'POST /api/conversations/reanalyze-sentiment': { body: { updatedConversations: 3 } },
  });
  openPage('/conversations', 'token-1');
  await screen.findByRole('article');
  await userEvent.click(screen.getByRole('button', { name: 'Reanalyze Sentiment' }));
  expect(
    await screen.findByText('Sentiment reanalyzed successfully! Updated 3 conversations.'),
  ).toHaveAttribute('role', 'status');
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({});
  await waitFor(() => expect(seen.filter(({ path }) => path === '/api/conversations')).toHaveLength(2));
});

it('says when the sentiment could not be reanalyzed, and can be asked again', async () => {
  vi.spyOn(console, 'warn').mockImplementation(() => {});
  fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: range(0, 1) },
    'POST /api/conversations/reanalyze-sentiment': refusal(503, 'The thread is away.', 'unavailable'),
  });
  openPage('/conversations', 'token-1');
  await screen.findByRole('article');
  await userEvent.click(screen.getByRole('button', { name: 'Reanalyze Sentiment' }));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Failed to reanalyze sentiment. Please try again.',
  );
  expect(screen.getByRole('button', { name: 'Reanalyze Sentiment' })).toBeEnabled();
});

it('shows that the sentiment is being reanalyzed and takes no second click', async () => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: range(0, 1) },
    'POST /api/conversations/reanalyze-sentiment': never,
  });
  openPage('/conversations', 'token-1');
  await screen.findByRole('article');
  await userEvent.click(screen.getByRole('button', { name: 'Reanalyze Sentiment' }));
  const button = screen.getByRole('button', { name: 'Reanalyze Sentiment' });
  expect(button).toBeDisabled();
  expect(button).toHaveAttribute('aria-busy', 'true');
});

it('shows a title as text, whatever is in it', async () => {
  const hostile = '<img src=x onerror=alert(1)> "שלום" 🙂';
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [aConversation(0, hostile)] } });
  openPage('/conversations', 'token-1');
  const link = await screen.findByRole('link', { name: hostile });
  expect(link.querySelector('img')).toBeNull();
  expect(link.parentElement).toHaveAttribute('dir', 'auto');
});
