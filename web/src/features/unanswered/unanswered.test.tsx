import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it, vi } from 'vitest';
import { ada, adasTabKey, fakeServer, never, openPage, refusal } from '#web/test-support';

const LIST = 'GET /api/insights/unanswered';
const ANSWER = 'POST /api/insights/unanswered/q-1/answer';
const signedIn = { 'GET /api/auth/me': { body: ada }, 'GET /api/conversations': { body: [] } };
const hours = (count: number) => new Date(Date.now() - count * 3_600_000).toISOString();
const aQuestion = (change: object = {}) => ({
  _id: 'q-1',
  question: 'Are parcels to Spain insured?',
  count: 7,
  lastAsked: hours(2),
  agentId: 'agent-1',
  agentName: 'Luna',
  conversations: ['call-1', 'call-2'],
  ...change,
});
const answered = { message: 'Yes, up to 500 euros.', citations: [], outcome: 'answered' };
const write = () => userEvent.click(screen.getByRole('button', { name: 'Write the answer' }));
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save the answer' }));

it('lists what was asked in the server’s order, how often, when and of whom', async () => {
  const second = { _id: 'q-2', question: 'A cheque?', count: 1, lastAsked: 'once', agentName: 'Otto' };
  fakeServer({ ...signedIn, [LIST]: { body: [aQuestion(), aQuestion(second)] } });
  openPage('/unanswered', 'token-1');
  const [first, other] = await screen.findAllByRole('article');
  expect(first).toHaveAccessibleName('Are parcels to Spain insured?');
  expect(first).toHaveTextContent('Asked 7 times, last 2 hours ago');
  expect(first).toHaveTextContent('to Luna');
  expect(other).toHaveTextContent('Asked once, Never');
  expect(screen.getByText('2 questions without an answer')).toBeVisible();
});

it('leads to its conversations, by title and time, once they are asked for', async () => {
  const seen = fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    'GET /api/conversations/call-1': {
      body: {
        _id: 'call-1',
        title: 'Lost Parcel',
        metadata: { sentiment: 'neutral', duration: 9, created: new Date(2026, 10, 5, 15, 5).toISOString() },
      },
    },
  });
  openPage('/unanswered', 'token-1');
  const opener = await screen.findByRole('button', { name: '2 conversations' });
  expect(seen.some(({ path }) => path === '/api/conversations/call-1')).toBe(false);
  await userEvent.click(opener);
  const link = await screen.findByRole('link', { name: /^Lost Parcel/ });
  expect(link).toHaveAttribute('href', '/conversations/call-1');
  expect(link).toHaveTextContent('Nov 5, 2026 3:05 PM');
  expect(await screen.findByText('This conversation was deleted.')).toBeVisible();
});

it('takes an answer and shows at once how the agent answers now', async () => {
  const citations = [{ source: 'Answered questions', text: 'Insured up to 500 euros.' }];
  const seen = fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    [ANSWER]: { body: { ...answered, citations } },
  });
  openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  const field = screen.getByRole('textbox', { name: 'Your answer' });
  expect(field).toHaveFocus();
  await userEvent.type(field, '  Yes, they are.  ');
  await save();
  const result = await screen.findByRole('region', { name: 'Saved. Luna now says:' });
  expect(seen.find(({ method }) => method === 'POST')?.body).toEqual({ answer: 'Yes, they are.' });
  expect(result).toHaveFocus();
  expect(within(result).getByText('Yes, up to 500 euros.')).toBeVisible();
  expect(within(result).getByText('Answered')).toBeVisible();
  await userEvent.click(within(result).getByRole('button', { name: '1 source' }));
  expect(within(result).getByText('Insured up to 500 euros.')).toBeVisible();
  expect(screen.getByText('Done')).toBeVisible();
  expect(screen.getByText('Every question has an answer now.')).toBeVisible();
  expect(screen.queryByRole('button', { name: 'Write the answer' })).toBeNull();
  expect(sessionStorage).toHaveLength(0);
});

it('says plainly where the agent does not use the answer yet', async () => {
  fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    [ANSWER]: { body: { ...answered, outcome: 'declined' } },
  });
  openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.keyboard('Yes.');
  await save();
  expect(await screen.findByText('Not answered')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Word it closer to the question' })).toHaveAttribute(
    'href',
    '/agents/edit/agent-1',
  );
  expect(screen.queryByText('Done')).toBeNull();
});

it('keeps what was written when it could not be saved, and tries again under the same key', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  let broken = true;
  fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    [ANSWER]: () => (broken ? refusal(503, 'The database is away.', 'unavailable') : { body: answered }),
  });
  const stub = globalThis.fetch;
  const keys: (string | null)[] = [];
  vi.stubGlobal('fetch', (input: string, init?: RequestInit) => {
    if (init?.method === 'POST') keys.push(new Headers(init.headers).get('idempotency-key'));
    return stub(input, init);
  });
  const { router } = openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.keyboard('Yes, they are.');
  await save();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Your answer was not saved. The database is away.',
  );
  expect(screen.getByRole('textbox')).toHaveValue('Yes, they are.');
  broken = false;
  await save();
  expect(await screen.findByText('Done')).toBeVisible();
  expect(keys).toHaveLength(2);
  expect(keys[0]).toBeTruthy();
  expect(new Set(keys).size).toBe(1);
  expect(router.state.location.pathname).toBe('/unanswered');
});

it('brings back what was written before the page was left', async () => {
  fakeServer({ ...signedIn, [LIST]: { body: [aQuestion()] } });
  const { router } = openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.keyboard('Half a thou');
  await router.navigate('/conversations');
  await screen.findByRole('heading', { name: 'Conversation History' });
  await router.navigate('/unanswered');
  expect(await screen.findByRole('textbox', { name: 'Your answer' })).toHaveValue('Half a thou');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  expect(screen.getByRole('button', { name: 'Write the answer' })).toHaveFocus();
  expect(sessionStorage).toHaveLength(0);
});

it('brings back what was written before the page was loaded again, once it is known who came', async () => {
  let comes = () => {};
  const known = { ...signedIn, 'GET /api/auth/me': { body: { ...ada, tabKey: adasTabKey } } };
  fakeServer({ ...known, [LIST]: { body: [aQuestion()] } });
  openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.keyboard('Half a thou');
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Half');
  cleanup();
  const late = new Promise<void>((resolve) => {
    comes = resolve;
  });
  const fetchNow = fetch;
  vi.stubGlobal('fetch', (...request: Parameters<typeof fetch>) => late.then(() => fetchNow(...request)));
  openPage('/unanswered');
  await screen.findByText('Loading...');
  expect(sessionStorage).toHaveLength(1);
  comes();
  expect(await screen.findByRole('textbox', { name: 'Your answer' })).toHaveValue('Half a thou');
});

it.each([
  ['nothing', '  ', 'Write an answer first.'],
  ['too much', 'x'.repeat(4_001), 'Use an answer of at most 4,000 characters.'],
])('refuses %s before it is sent', async (_case, text, sentence) => {
  const seen = fakeServer({ ...signedIn, [LIST]: { body: [aQuestion()] } });
  openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.click(screen.getByRole('textbox'));
  await userEvent.paste(text);
  await save();
  expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getByRole('textbox')).toBeInvalid();
  expect(screen.getByRole('textbox')).toHaveFocus();
  expect(seen.some(({ method }) => method === 'POST')).toBe(false);
});

it('is busy while the agent reads, and takes no second click', async () => {
  fakeServer({ ...signedIn, [LIST]: { body: [aQuestion()] }, [ANSWER]: never });
  openPage('/unanswered', 'token-1');
  await screen.findByRole('article');
  await write();
  await userEvent.keyboard('Yes.');
  await save();
  expect(screen.getByRole('button', { name: 'Saving...' })).toBeDisabled();
});

it('explains that the demo agent’s information stays as it is, and offers to create an agent', async () => {
  fakeServer({ ...signedIn, [LIST]: { body: [aQuestion({ agentId: null, agentName: 'Sigma' })] } });
  openPage('/unanswered', 'token-1');
  const card = within(await screen.findByRole('article'));
  expect(card.getByText(/Sigma is the demo agent, whose information cannot be changed/)).toBeVisible();
  expect(card.getByRole('link', { name: 'Create an agent' })).toHaveAttribute('href', '/agents/create');
  expect(card.queryByRole('button', { name: 'Write the answer' })).toBeNull();
});

it('asks before it dismisses a question, and takes it off the list', async () => {
  const seen = fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    'DELETE /api/insights/unanswered/q-1': { status: 204 },
  });
  openPage('/unanswered', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  const dialog = within(await screen.findByRole('alertdialog', { name: 'Dismiss this question?' }));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  expect(seen.some(({ method }) => method === 'DELETE')).toBe(false);
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }));
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Dismiss' }),
  );
  expect(await screen.findByText('Every question is answered')).toBeVisible();
  await waitFor(() => expect(screen.getByRole('region', { name: 'Questions' })).toHaveFocus());
});

it('keeps a question that could not be dismissed, and says so', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({
    ...signedIn,
    [LIST]: { body: [aQuestion()] },
    'DELETE /api/insights/unanswered/q-1': refusal(503, 'Not now.', 'unavailable'),
  });
  openPage('/unanswered', 'token-1');
  await userEvent.click(await screen.findByRole('button', { name: 'Dismiss' }));
  await userEvent.click(
    within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'Dismiss' }),
  );
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'The question could not be dismissed. Please try again.',
  );
  expect(screen.getByRole('article')).toBeVisible();
});

it('shows the shape of the list while it loads', async () => {
  fakeServer({ ...signedIn, [LIST]: never });
  openPage('/unanswered', 'token-1');
  expect(await screen.findByRole('status', { name: 'Loading unanswered questions' })).toBeVisible();
});

it('says why the list could not be loaded and tries again', async () => {
  let broken = true;
  fakeServer({
    ...signedIn,
    [LIST]: () => (broken ? refusal(429, 'Too many attempts.', 'rate-limited') : { body: [] }),
  });
  openPage('/unanswered', 'token-1');
  expect(await screen.findByText('Too many attempts.')).toBeVisible();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Every question is answered')).toBeVisible();
  expect(screen.getByRole('link', { name: 'All conversations' })).toHaveAttribute('href', '/conversations');
});

it('is found from the conversations', async () => {
  fakeServer(signedIn);
  openPage('/conversations', 'token-1');
  expect(await screen.findByRole('link', { name: 'Unanswered questions' })).toHaveAttribute(
    'href',
    '/unanswered',
  );
});
