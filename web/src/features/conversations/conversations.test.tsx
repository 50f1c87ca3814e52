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
const aMessage = (change: object = {}) => ({
  _id: 'message-1',
  role: 'user',
  content: 'I want to return these.',
  timestamp: created,
  ...change,
});

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
