import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';
import { anAgent } from '../test-agents.ts';

const stored = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [anAgent()] },
  'GET /api/agents/agent-1': { body: anAgent() },
};
const effects = 'POST /api/agents/agent-1/effects';

async function open(answer: Parameters<typeof fakeServer>[0][string]) {
  const requests = fakeServer({ ...stored, [effects]: answer });
  openPage('/agents/edit/agent-1', 'token-1');
  await screen.findByLabelText('Agent Name');
  return requests;
}
const see = () => userEvent.click(screen.getByRole('button', { name: 'See the effect' }));
const asked = (requests: readonly { method: string; path: string; body: unknown }[]) =>
  requests.filter(({ path }) => path.endsWith('/effects')).map(({ body }) => body);

const answer = {
  question: 'When are you open?',
  conversationId: 'conversation-1',
  before: 'We are open from 9 am.',
  after: 'I do not know that.',
  outcomeBefore: 'answered',
  outcomeAfter: 'declined',
};

it('shows what would be answered differently, side by side', async () => {
  const requests = await open({ body: { asked: 40, changed: 1, answers: [answer] } });
  fireEvent.change(screen.getByLabelText('Company Information'), { target: { value: 'We moved.' } });
  await see();
  expect(await screen.findByText('Of the last 40 questions 1 would be answered differently.')).toBeVisible();
  expect(screen.getByText('1 loses its answer.')).toBeVisible();
  const [item] = within(screen.getByRole('list', { name: 'Answers that would change' })).getAllByRole(
    'listitem',
  );
  const now = within(within(item as HTMLElement).getByRole('region', { name: 'Now' }));
  const changed = within(within(item as HTMLElement).getByRole('region', { name: 'With your changes' }));
  expect([now.getByText(answer.before), now.getByText('Answered')]).toHaveLength(2);
  expect([changed.getByText(answer.after), changed.getByText('Not answered')]).toHaveLength(2);
  expect(screen.getByRole('link', { name: 'Conversation' })).toHaveAttribute(
    'href',
    '/conversations/conversation-1',
  );
  expect(asked(requests)).toEqual([{ companyInfo: 'We moved.', prompts: ['Offer a test ride.'] }]);
});

it.each([
  [{ asked: 0, changed: 0, answers: [] }, 'No customer has asked anything yet'],
  [{ asked: 40, changed: 0, answers: [] }, 'All answers stay the same'],
])('says so when there is nothing to show: %j', async (body, sentence) => {
  await open({ body });
  await see();
  expect(await screen.findByText(sentence)).toBeVisible();
});

it('asks nothing while the form is not complete', async () => {
  const requests = await open({ body: { asked: 0, changed: 0, answers: [] } });
  fireEvent.change(screen.getByLabelText('Company Information'), { target: { value: ' ' } });
  await see();
  expect(await screen.findByText('Enter what the agent should know about the company.')).toBeVisible();
  expect(asked(requests)).toEqual([]);
});

it('says why it could not be seen, and tries again', async () => {
  const busy = 'Another change is already being tried. Wait until that is done.';
  const requests = await open(refusal(409, busy, 'conflict'));
  await see();
  expect(await screen.findByText(busy)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await waitFor(() => expect(asked(requests)).toHaveLength(2));
});

it('gives up when it is closed', async () => {
  await open(never());
  await see();
  expect(await screen.findByText(/^Asking your customers’ recent questions again/)).toBeVisible();
  await userEvent.click(screen.getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
