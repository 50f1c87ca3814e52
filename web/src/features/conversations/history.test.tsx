import { screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

const created = new Date(2026, 10, 5, 15, 5).toISOString();
const agent = {
  _id: 'agent-1',
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Brief.',
  companyInfo: 'Open from nine.',
  prompts: [],
};
const aConversation = (n: number, messages?: object[]) => ({
  _id: `conversation-${n}`,
  title: `Conversation ${n}`,
  agentId: 'agent-1',
  agentName: 'Mia',
  metadata: { sentiment: 'urgent', duration: 65, created, updated: created },
  ...(messages ? { messages } : {}),
});
const answers = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [] },
  'GET /api/agents/agent-1': { body: agent },
  'GET /api/conversations': { body: [aConversation(1), aConversation(2)] },
  'GET /api/conversations/conversation-2': {
    body: aConversation(2, [
      {
        _id: 'm',
        role: 'user',
        author: { kind: 'contact' },
        content: 'Is it open?',
        timestamp: created,
        sentiment: 'negative',
      },
    ]),
  },
};

// This DOM has no layout: without a height the list would show no rows.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
});

async function openHistory() {
  const page = openPage('/agents', 'token-1');
  await screen.findByRole('heading', { name: 'AI Agents' });
  await page.router.navigate('/history/Mia', { state: { agent } });
  return page;
}

it('leads to the agents when no agent was handed over', async () => {
  fakeServer(answers);
  const { path } = openPage('/history/Mia', 'token-1');
  await screen.findByRole('heading', { name: 'AI Agents' });
  expect(path()).toBe('/agents');
});

it('lists the conversations of the agent and asks to select one', async () => {
  fakeServer(answers);
  const stub = globalThis.fetch;
  const asked: string[] = [];
  vi.stubGlobal('fetch', (input: string | URL, init?: RequestInit) => {
    asked.push(String(input));
    return stub(input, init);
  });
  await openHistory();
  expect(await screen.findByRole('heading', { name: 'Mia' })).toBeVisible();
  expect(screen.getByText('Select a conversation to view details')).toBeInTheDocument();
  expect(screen.getByRole('link', { name: 'Back to Agents' })).toHaveAttribute('href', '/agents');
  expect(await screen.findByRole('button', { name: /Conversation 1/ })).toBeVisible();
  expect(asked.some((url) => url.startsWith('/api/conversations?') && url.includes('agentId=agent-1'))).toBe(
    true,
  );
});

it('shows the selected one beside the list; Back goes to the list', async () => {
  fakeServer(answers);
  const { router } = await openHistory();
  await userEvent.click(await screen.findByRole('button', { name: /Conversation 2/ }));
  const detail = within(screen.getByRole('region', { name: 'Selected conversation' }));
  expect(await detail.findByText('Is it open?')).toBeVisible();
  expect(detail.getByText('Sentiment: Negative')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: /Conversation 2/ })).toHaveAttribute('aria-current', 'true');
  expect(await detail.findByRole('link', { name: 'Call again' })).toHaveAttribute('href', '/calls/Mia');
  await router.navigate(-1);
  expect(await screen.findByText('Select a conversation to view details')).toBeInTheDocument();
});

it('says when the conversations could not be loaded', async () => {
  fakeServer({ ...answers, 'GET /api/conversations': refusal(429, 'Too many.', 'rate-limited') });
  await openHistory();
  expect(await screen.findByText('Failed to load conversations.')).toBeVisible();
});
