import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { expect, it } from 'vitest';
import { ada, fakeServer, never, openPage } from '#web/test-support';

const at = new Date(2026, 10, 5, 15, 5).toISOString();
const agent = {
  _id: 'agent-1',
  version: 1,
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly and brief.',
  companyInfo: 'We are open from 9 am to 6 pm.',
  prompts: [],
  language: 'en',
  masks: [],
  createdAt: at,
  updatedAt: at,
};
const returns = {
  _id: 'document-1',
  title: 'Returns',
  kind: 'text',
  status: 'ready',
  characters: 40,
  passages: 1,
  createdAt: at,
  readAt: at,
  agentIds: ['agent-1'],
};
const parking = { ...returns, _id: 'document-2', title: 'Parking', agentIds: ['agent-2'] };
const answer = {
  question: 'How long can I send it back?',
  conversationId: 'conversation-1',
  before: 'Within 30 days.',
  after: 'I do not know that.',
  outcomeBefore: 'answered',
  outcomeAfter: 'declined',
};

const preview = {
  title: 'Terms',
  kind: 'text',
  characters: 30,
  passages: 1,
  parts: [{ title: null, text: 'You can send it back for 14 days.' }],
};
const tried = { title: preview.title, parts: preview.parts };
const terms = new File(['You can send it back for 14 days.'], 'terms.txt', { type: 'text/plain' });
const choose = () => userEvent.upload(screen.getByLabelText('Files to read'), terms);

async function open(more: Parameters<typeof fakeServer>[0] = {}) {
  const requests = fakeServer({
    'GET /api/auth/me': { body: ada },
    'GET /api/agents': { body: [agent, { ...agent, _id: 'agent-2', name: 'Ole' }] },
    'GET /api/documents': { body: [returns, parking] },
    'GET /api/agents/agent-1': { body: agent },
    'GET /api/agents/agent-1/documents': { body: [returns] },
    'POST /api/agents/agent-1/effects': { body: { asked: 12, changed: 1, answers: [answer] } },
    'POST /api/agents/agent-1/documents': { status: 201, body: returns },
    'POST /api/agents/agent-1/documents/preview': { body: preview },
    'PUT /api/agents/agent-1/documents/document-1': { body: returns },
    'DELETE /api/agents/agent-1/documents/document-1': { status: 204 },
    ...more,
  });
  openPage('/agents/edit/agent-1', 'token-1');
  const knowledge = within(await screen.findByRole('region', { name: 'Knowledge' }));
  await knowledge.findByText('Returns');
  const sent = (method: string) =>
    requests.filter((each) => each.method === method).map(({ path, body }) => [path, body]);
  return { knowledge, sent };
}
const seeChange = () => userEvent.click(screen.getByRole('button', { name: 'See what would change' }));
const close = async (dialog: HTMLElement) => {
  await userEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
  await waitFor(() => expect(dialog).not.toBeInTheDocument());
};

it('shows what a document answers before it is removed, and leads back to the question', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'More about Returns' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
  await seeChange();
  const effect = await screen.findByRole('dialog', { name: 'If “Returns” is removed' });
  const without = await within(effect).findByRole('region', { name: 'Without this document' });
  expect(within(without).getByText(answer.after)).toBeVisible();
  expect(within(effect).getByText('1 loses its answer.')).toBeVisible();
  expect(sent('POST')).toEqual([['/api/agents/agent-1/effects', { documents: { remove: ['document-1'] } }]]);
  expect(sent('DELETE')).toEqual([]);
  // With two open dialogs, only the upper one closes.
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(effect).not.toBeInTheDocument());
  await userEvent.click(
    within(screen.getByRole('alertdialog', { name: 'Remove “Returns”?' })).getByRole('button', {
      name: 'Remove',
    }),
  );
  expect(sent('DELETE')).toHaveLength(1);
});

it('shows what a pasted text would answer before it is added, and keeps what is typed', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'Paste text' }));
  await userEvent.type(screen.getByLabelText('Title'), 'Parking');
  await userEvent.type(screen.getByLabelText('Text'), 'Parking is free.');
  await seeChange();
  const effect = await screen.findByRole('dialog', { name: 'If “Parking” is added' });
  expect(await within(effect).findByRole('region', { name: 'With this document' })).toBeVisible();
  const text = { title: 'Parking', text: 'Parking is free.' };
  const asked = ['/api/agents/agent-1/effects', { documents: { add: [text] } }];
  expect(sent('POST')).toEqual([asked]);
  await close(effect);
  await userEvent.click(screen.getByRole('button', { name: 'Add text' }));
  expect(sent('POST')).toEqual([asked, ['/api/agents/agent-1/documents', text]]);
});

it('reads a page first, and shows what it would answer before it is added', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'Add web page' }));
  await userEvent.type(screen.getByLabelText('Address'), 'shop.example/terms');
  await seeChange();
  const effect = await screen.findByRole('dialog', { name: 'If “shop.example/terms” is added' });
  expect(await within(effect).findByRole('region', { name: 'With this document' })).toBeVisible();
  expect(within(effect).getByText('Read: 30 characters, 1 passage.')).toBeVisible();
  expect(sent('POST')).toEqual([
    ['/api/agents/agent-1/documents/preview', { url: 'shop.example/terms' }],
    ['/api/agents/agent-1/effects', { documents: { add: [tried] } }],
  ]);
  await close(effect);
  expect(screen.getByLabelText('Address')).toHaveValue('shop.example/terms');
});

it('shows what a file would answer, and adds it from there', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'Try a file' }));
  await choose();
  const effect = await screen.findByRole('dialog', { name: 'If “terms.txt” is added' });
  expect(await within(effect).findByRole('region', { name: 'With this document' })).toBeVisible();
  const asked = sent('POST').map(([path]) => path);
  expect(asked).toEqual(['/api/agents/agent-1/documents/preview', '/api/agents/agent-1/effects']);
  expect(sent('POST')[1]?.[1]).toEqual({ documents: { add: [tried] } });
  await userEvent.click(within(effect).getByRole('button', { name: 'Add this file' }));
  await waitFor(() => expect(effect).not.toBeInTheDocument());
  expect(sent('POST').map(([path]) => path)).toEqual([...asked, '/api/agents/agent-1/documents']);
});

it('says what was read, and what of it could not be, where nobody has asked yet', async () => {
  const problem = '2 of 14 pages could not be read.';
  const { knowledge } = await open({
    'POST /api/agents/agent-1/documents/preview': { body: { ...preview, problem } },
    'POST /api/agents/agent-1/effects': { body: { asked: 0, changed: 0, answers: [] } },
  });
  await userEvent.click(knowledge.getByRole('button', { name: 'Try a file' }));
  await choose();
  expect(await screen.findByText('No customer has asked anything yet')).toBeVisible();
  expect(screen.getByText(`Read: 30 characters, 1 passage. ${problem}`)).toBeVisible();
});

it('asks nothing of a file whose dialog was closed while it was read', async () => {
  const { knowledge, sent } = await open({ 'POST /api/agents/agent-1/documents/preview': never() });
  await userEvent.click(knowledge.getByRole('button', { name: 'Try a file' }));
  await choose();
  const effect = await screen.findByRole('dialog', { name: 'If “terms.txt” is added' });
  expect(await within(effect).findByText(/^Reading it/)).toBeVisible();
  await close(effect);
  expect(sent('POST').map(([path]) => path)).toEqual(['/api/agents/agent-1/documents/preview']);
});

it('says of a file that is too large what to do, and sends nothing', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'Try a file' }));
  const large = new File(['x'], 'large.txt', { type: 'text/plain' });
  Object.defineProperty(large, 'size', { value: 26 * 1024 * 1024 });
  await userEvent.upload(screen.getByLabelText('Files to read'), large);
  const effect = await screen.findByRole('dialog', { name: 'If “large.txt” is added' });
  expect(await within(effect).findByText('Use a file of at most 25 MB, or divide it.')).toBeVisible();
  expect(within(effect).queryByRole('button', { name: 'Add this file' })).toBeNull();
  expect(sent('POST')).toEqual([]);
});

it('asks before a file takes the place of a document, and shows what would be answered', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'More about Returns' }));
  await userEvent.click(screen.getByRole('menuitem', { name: 'Replace with a file' }));
  await choose();
  const question = await screen.findByRole('alertdialog', { name: 'Replace “Returns” with “terms.txt”?' });
  expect(sent('PUT')).toEqual([]);
  await seeChange();
  const effect = await screen.findByRole('dialog', { name: 'If “Returns” is replaced' });
  expect(await within(effect).findByRole('region', { name: 'With the new file' })).toBeVisible();
  expect(sent('POST').at(-1)).toEqual([
    '/api/agents/agent-1/effects',
    { documents: { add: [tried], remove: ['document-1'] } },
  ]);
  await userEvent.keyboard('{Escape}');
  await waitFor(() => expect(effect).not.toBeInTheDocument());
  await userEvent.click(within(question).getByRole('button', { name: 'Replace' }));
  await waitFor(() => expect(sent('PUT')).toHaveLength(1));
});

it('asks nothing about a text without a title', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(knowledge.getByRole('button', { name: 'Paste text' }));
  await userEvent.type(screen.getByLabelText('Text'), 'Parking is free.');
  await seeChange();
  expect(screen.queryByRole('dialog', { name: /^If/ })).toBeNull();
  expect(sent('POST')).toEqual([]);
});

it('shows what a document of another agent would answer before it is shared', async () => {
  const { knowledge, sent } = await open();
  await userEvent.click(await knowledge.findByRole('button', { name: 'From another agent' }));
  await userEvent.click(await screen.findByRole('button', { name: 'See what would change with Parking' }));
  const effect = await screen.findByRole('dialog', { name: 'If “Parking” is added' });
  expect(await within(effect).findByRole('region', { name: 'With this document' })).toBeVisible();
  expect(sent('POST')).toEqual([['/api/agents/agent-1/effects', { documents: { share: ['document-2'] } }]]);
});
