import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

const signedIn = { 'GET /api/auth/me': { body: ada } };
const created = new Date(2026, 10, 5, 15, 5).toISOString();
const aConversation = (change: object = {}, metadata: object = {}) => ({
  _id: 'conversation-1',
  title: 'Return Of Headphones',
  agentName: 'Sigma',
  metadata: { sentiment: 'positive', duration: 65, created, updated: created, ...metadata },
  ...change,
});
const aMessage = (change: { role?: string; [more: string]: unknown } = {}) => ({
  _id: 'message-1',
  role: 'user',
  author: { kind: (change.role ?? 'user') === 'user' ? 'contact' : 'agent' },
  content: 'I want to return these.',
  timestamp: created,
  ...change,
});

const outcomeWords = ['Needs a colleague', 'Not answered', 'Perhaps answered', 'Answered'];

it('shows each conversation with title, sentiment, duration and date', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [aConversation()] } });
  openPage('/conversations', 'token-1');
  const card = within(await screen.findByRole('article'));
  expect(card.getByRole('link', { name: 'Return Of Headphones' })).toHaveAttribute(
    'href',
    '/conversations/conversation-1',
  );
  expect(card.getByText('Positive')).toBeVisible();
  expect(card.getByText('1:05')).toBeVisible();
  expect(card.getByText('Nov 5, 2026 3:05 PM')).toBeVisible();
});

it('shows what came of a conversation, and what the customer left, to call or to write', async () => {
  const contact = {
    name: 'Maria Jones',
    phone: '+49 (170) 123-4567',
    email: 'maria@example.com',
    reference: 'A-17',
  };
  fakeServer({
    ...signedIn,
    'GET /api/conversations': {
      body: [
        aConversation({ outcome: 'handover', contact }),
        aConversation({ _id: 'b', title: 'Opening Hours', outcome: 'answered' }),
        aConversation({
          _id: 'c',
          title: 'Warranty',
          outcome: 'declined',
          contact: { phone: 'the usual one' },
        }),
        aConversation({ _id: 'd', title: 'Gift Card', outcome: 'offered' }),
        aConversation({ _id: 'e', title: 'Hello', outcome: 'social' }),
        aConversation({ _id: 'f', title: 'From The Future', outcome: 'teleported' }),
      ],
    },
  });
  openPage('/conversations', 'token-1');
  const cards = await screen.findAllByRole('article');
  expect(cards.map((card) => outcomeWords.filter((words) => within(card).queryByText(words)))).toEqual([
    ['Needs a colleague'],
    ['Answered'],
    ['Not answered'],
    ['Perhaps answered'],
    [],
    [],
  ]);
  const [waiting, , unreachable] = cards;
  if (!waiting || !unreachable) throw new Error('The cards are missing.');
  expect(within(waiting).getByText('Maria Jones')).toBeVisible();
  expect(within(waiting).getByText('A-17')).toBeVisible();
  expect(within(waiting).getByRole('link', { name: '+49 (170) 123-4567' })).toHaveAttribute(
    'href',
    'tel:+491701234567',
  );
  expect(within(waiting).getByRole('link', { name: 'maria@example.com' })).toHaveAttribute(
    'href',
    'mailto:maria@example.com',
  );
  expect(within(unreachable).getByText('the usual one')).not.toHaveAttribute('href');
});

it('takes an unknown sentiment for neutral and names a time that is none', async () => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations': { body: [aConversation({}, { sentiment: 'puzzled', created: 'once' })] },
  });
  openPage('/conversations', 'token-1');
  const card = within(await screen.findByRole('article'));
  expect(card.getByText('Neutral')).toBeVisible();
  expect(card.getByText('Invalid time')).toBeVisible();
});

it('invites to a first call when there are none', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [] } });
  openPage('/conversations', 'token-1');
  expect(await screen.findByText('No conversations yet')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Start New Call' })).toHaveAttribute('href', '/call-simulator');
});

it('says why the list could not be loaded and tries again', async () => {
  let broken = true;
  fakeServer({
    ...signedIn,
    'GET /api/conversations': () =>
      broken ? refusal(429, 'Too many attempts.', 'rate-limited') : { body: [aConversation()] },
  });
  openPage('/conversations', 'token-1');
  expect(await screen.findByText('Too many attempts.')).toBeVisible();
  broken = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByText('Return Of Headphones')).toBeVisible();
});

it('shows a conversation with who said what and when', async () => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations/conversation-1': {
      body: aConversation({
        messages: [
          aMessage(),
          aMessage({ _id: 'message-2', role: 'assistant', content: 'You have 30 days.', interrupted: true }),
          aMessage({ _id: 'message-3', role: 'system', content: 'Never show this.' }),
          aMessage({
            _id: 'message-4',
            content: 'Here it is.',
            audioUrl: '/media/1?signature=x',
            timestamp: '?',
          }),
        ],
      }),
    },
  });
  openPage('/conversations/conversation-1', 'token-1');
  const said = await screen.findAllByRole('article');
  expect(said.map((each) => each.textContent)).toEqual([
    'You3:05 PMI want to return these.',
    'AI Assistant3:05 PMYou have 30 days.Interrupted',
    expect.stringMatching(/^YouInvalid timeHere it is\./),
  ]);
  const recording = screen.getByRole('group', { name: 'Recording of your message' });
  expect(within(recording).getByRole('button', { name: 'Play' })).toBeVisible();
  expect(screen.getByRole('button', { name: 'Play conversation' })).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to conversations' })).toHaveAttribute(
    'href',
    '/conversations',
  );
});

it('says what came of it, whom to get back to, and which replies were no plain answer', async () => {
  const said = ['answered', 'offered', 'asked-back', 'declined', 'handover', 'social'].map((outcome) =>
    aMessage({ _id: outcome, role: 'assistant', content: `This is ${outcome}.`, outcome }),
  );
  fakeServer({
    ...signedIn,
    'GET /api/conversations/conversation-1': {
      body: aConversation({
        messages: [aMessage({ outcome: 'declined' }), ...said],
        outcome: 'handover',
        contact: { name: 'Maria Jones', phone: '0170 1234567', note: 'After six.', email: ' ' },
      }),
    },
  });
  const user = userEvent.setup();
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByText('Needs a colleague')).toBeVisible();
  expect(
    screen.getAllByRole('article').map((each) => each.querySelector('footer')?.textContent ?? ''),
  ).toEqual(['', '', 'Offered', 'Asked back', 'Not in the information', 'Left to a colleague', '']);
  const panel = within(screen.getByRole('region', { name: 'Get back to' }));
  expect(panel.getByRole('link', { name: '0170 1234567' })).toHaveAttribute('href', 'tel:01701234567');
  expect(panel.getAllByRole('button').map((button) => button.getAttribute('aria-label'))).toEqual([
    'Copy name',
    'Copy phone number',
    'Copy note',
  ]);
  await user.click(panel.getByRole('button', { name: 'Copy phone number' }));
  expect(await screen.findByText('Phone number copied.')).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe('0170 1234567');
});

it.each([
  [{ input: 1_204, output: 96, cost: 0.0021 }, 'Language model1,300 tokens · $0.0021'],
  [{ input: 1_204, output: 96, cost: null }, 'Language model1,300 tokens'],
])('says what language models took of it: %j', async (modelUse, said) => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations/conversation-1': { body: aConversation({ modelUse }) },
  });
  openPage('/conversations/conversation-1', 'token-1');
  expect((await screen.findByText('Language model')).parentElement).toHaveTextContent(said);
});

it('has no panel where nothing was left', async () => {
  fakeServer({
    ...signedIn,
    'GET /api/conversations/conversation-1': { body: aConversation({ outcome: 'declined', contact: {} }) },
  });
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByText('Not answered')).toBeVisible();
  expect(screen.queryByRole('region', { name: 'Get back to' })).toBeNull();
});

it('says Loading conversation... while it is on its way', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations/conversation-1': never });
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByText('Loading conversation...')).toBeVisible();
});

it.each([
  ['nothing was said', { body: aConversation({ messages: [] }) }, 'No messages in this conversation yet'],
  [
    'it does not exist',
    refusal(404, 'This conversation does not exist.', 'not-found'),
    'Conversation not found',
  ],
  ['the server refuses', refusal(429, 'Please wait a moment.', 'rate-limited'), 'Please wait a moment.'],
])('says so when %s', async (_case, answer, sentence) => {
  fakeServer({ ...signedIn, 'GET /api/conversations/conversation-1': answer });
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByText(sentence)).toBeVisible();
});
