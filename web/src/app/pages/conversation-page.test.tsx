import { screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { ada, fakeServer, openPage } from '#web/test-support';

const signedIn = { 'GET /api/auth/me': { body: ada } };
const created = new Date(2026, 10, 5, 15, 5).toISOString();
const conversation = {
  _id: 'conversation-1',
  title: 'Return Of Headphones',
  agentName: 'Sigma',
  metadata: { sentiment: 'urgent', duration: 65, created, updated: created },
  messages: [],
};

it('heads a conversation with its title, sentiment, duration and time, and the way back', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations/conversation-1': { body: conversation } });
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByRole('heading', { level: 1, name: 'Return Of Headphones' })).toBeVisible();
  expect(screen.getByText('Urgent')).toBeVisible();
  expect(screen.getByText('1:05')).toBeVisible();
  expect(screen.getByText('Nov 5, 2026 3:05 PM')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to conversations' })).toHaveAttribute(
    'href',
    '/conversations',
  );
});

it('has a sentence of its own when a conversation could not be loaded and nobody says why', async () => {
  const silent = { status: 400, body: { message: '' } };
  fakeServer({ ...signedIn, 'GET /api/conversations/conversation-1': silent });
  openPage('/conversations/conversation-1', 'token-1');
  expect(await screen.findByText('Failed to load conversation.')).toBeVisible();
});

it('offers a new call beside the history too', async () => {
  fakeServer({ ...signedIn, 'GET /api/conversations': { body: [conversation] } });
  openPage('/conversations', 'token-1');
  expect(await screen.findByRole('heading', { level: 1, name: 'Conversation History' })).toBeVisible();
  expect(await screen.findByRole('link', { name: 'Start New Call' })).toHaveAttribute(
    'href',
    '/call-simulator',
  );
});
