import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { FakeSoundContext } from '#web/lib/loudspeaker/fake-sound-context';
import { ada, adasTabKey, fakeServer, never, openPage, refusal, type SeenRequest } from '#web/test-support';
import { anAgent } from '../test-agents.ts';

const signedIn = { 'GET /api/auth/me': { body: ada } };

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeSoundContext);
});

const listed = { ...signedIn, 'GET /api/agents': { body: [] } };
const sent = (requests: readonly SeenRequest[], method: string) =>
  requests
    // Ignores the reading of prompts, which may come before or after.
    .filter((request) => request.method === method && request.path !== '/api/agents/sayings')
    .map(({ body }) => body);
const field = (label: string) => screen.getByLabelText(label);
/** Puts a text into a field at once, as pasting does. */
const put = (label: string, text: string) => fireEvent.change(field(label), { target: { value: text } });

async function openCreate() {
  const page = openPage('/agents/create', 'token-1');
  await screen.findByLabelText('Agent Name');
  return page;
}

function fillIn(change: Record<string, string> = {}) {
  const texts = {
    'Agent Name': 'Mia',
    'Company Name': 'Contoso Bikes',
    Personality: 'Friendly.',
    'Company Information': 'We are open daily.',
    ...change,
  };
  for (const [label, text] of Object.entries(texts)) put(label, text);
}

const create = () => userEvent.click(screen.getByRole('button', { name: 'Create Agent' }));

it('creates an agent without its empty prompts, and goes to the agents', async () => {
  const requests = fakeServer({ ...listed, 'POST /api/agents': { status: 201, body: anAgent() } });
  const page = await openCreate();
  expect(screen.getByRole('heading', { level: 1, name: 'Create New Agent' })).toBeVisible();
  fillIn({ 'Agent Name': '  Mia ' });
  await userEvent.click(screen.getByRole('button', { name: 'Add Prompt' }));
  await userEvent.click(screen.getByRole('button', { name: 'Add Prompt' }));
  put('Prompt 1', '   ');
  put('Prompt 3', ' Offer a test ride. ');
  await create();
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(sent(requests, 'POST')).toEqual([
    {
      name: 'Mia',
      companyName: 'Contoso Bikes',
      personality: 'Friendly.',
      companyInfo: 'We are open daily.',
      prompts: ['Offer a test ride.'],
    },
  ]);
});

it('leaves out what its business wants left out', async () => {
  const requests = fakeServer({ ...listed, 'POST /api/agents': { status: 201, body: anAgent() } });
  const page = await openCreate();
  const mask = (name: string) => screen.getByRole('switch', { name });
  expect(mask('Card and account numbers')).toBeChecked();
  expect(mask('National ID numbers')).toBeChecked();
  expect(mask('Phone numbers')).not.toBeChecked();
  fillIn({ 'Agent Name': 'Mia' });
  await userEvent.click(mask('Phone numbers'));
  await userEvent.click(mask('National ID numbers'));
  await create();
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(sent(requests, 'POST')).toMatchObject([{ masks: ['payment', 'phone'] }]);
});

it('has the rows of the specification and room for one prompt that always remains', async () => {
  fakeServer(listed);
  await openCreate();
  expect(field('Personality')).toHaveAttribute('rows', '3');
  expect(field('Company Information')).toHaveAttribute('rows', '4');
  for (const label of ['Agent Name', 'Company Name', 'Personality', 'Company Information'])
    expect(field(label)).toBeRequired();
  expect(field('Prompt 1')).toBeVisible();
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
  await userEvent.click(screen.getByRole('button', { name: 'Add Prompt' }));
  put('Prompt 1', 'First');
  put('Prompt 2', 'Second');
  await userEvent.click(screen.getByRole('button', { name: 'Remove prompt 1' }));
  expect(field('Prompt 1')).toHaveValue('Second');
  expect(screen.queryByRole('button', { name: /^Remove/ })).toBeNull();
});

it('says of each field what is wrong, in one sentence, and sends nothing', async () => {
  const requests = fakeServer(listed);
  await openCreate();
  put('Company Name', '   ');
  await create();
  for (const sentence of [
    'Enter a name for the agent.',
    'Enter the name of the company.',
    'Describe how the agent should speak.',
    'Enter what the agent should know about the company.',
  ])
    expect(await screen.findByText(sentence)).toBeVisible();
  expect(field('Agent Name')).toBeInvalid();
  fillIn({
    'Agent Name': 'x'.repeat(51),
    'Company Name': 'x'.repeat(101),
    Personality: 'x'.repeat(2_001),
    'Company Information': 'x'.repeat(200_001),
  });
  put('Prompt 1', 'x'.repeat(4_001));
  await create();
  for (const sentence of [
    'Use a name of at most 50 characters.',
    'Use a company name of at most 100 characters.',
    'Use a personality of at most 2,000 characters.',
    'Use company information of at most 200,000 characters.',
    'Use a prompt of at most 4,000 characters.',
  ])
    expect(await screen.findByText(sentence)).toBeVisible();
  expect(screen.getAllByText('1 character too many')).toHaveLength(5);
  expect(sent(requests, 'POST')).toEqual([]);
});

it('counts characters near a limit only, and an emoji as one', async () => {
  fakeServer(listed);
  await openCreate();
  put('Personality', 'x'.repeat(1_700));
  expect(screen.queryByText(/characters left/)).toBeNull();
  put('Personality', '🙂'.repeat(1_900));
  expect(await screen.findByText('100 characters left')).toBeVisible();
});

it('shows Creating... while it is being sent, and sends once', async () => {
  const requests = fakeServer({ ...listed, 'POST /api/agents': never });
  await openCreate();
  fillIn();
  await create();
  const busy = await screen.findByRole('button', { name: 'Creating...' });
  expect(busy).toBeDisabled();
  fireEvent.submit(field('Agent Name'));
  await waitFor(() => expect(sent(requests, 'POST')).toHaveLength(1));
});

it.each([
  ['the server’s sentence', refusal(409, 'You have 50 agents.', 'conflict'), 'You have 50 agents.'],
  ['a sentence of its own', { status: 500 }, 'Failed to create agent. Please try again.'],
])('shows %s when creating fails, and keeps what was typed', async (_what, answer, sentence) => {
  fakeServer({ ...listed, 'POST /api/agents': answer });
  const page = await openCreate();
  fillIn();
  await create();
  expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  expect(field('Company Information')).toHaveValue('We are open daily.');
  expect(page.path()).toBe('/agents/create');
});

it('shows what the server says of a field at that field', async () => {
  fakeServer({
    ...listed,
    'POST /api/agents': refusal(400, 'Choose another name.', 'invalid-input', {
      name: 'Choose another name.',
    }),
  });
  await openCreate();
  fillIn();
  await create();
  await waitFor(() => expect(field('Agent Name')).toBeInvalid());
  expect(field('Agent Name')).toHaveAccessibleDescription('Choose another name.');
});

it('needs a stored token', async () => {
  const requests = fakeServer(listed);
  await openCreate();
  fillIn();
  localStorage.removeItem('token');
  await create();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Authentication token not found. Please log in again.',
  );
  expect(sent(requests, 'POST')).toEqual([]);
});

it('starts from a filled example', async () => {
  const requests = fakeServer({ ...listed, 'POST /api/agents': { status: 201, body: anAgent() } });
  await openCreate();
  await userEvent.click(screen.getByRole('button', { name: 'Start from an example' }));
  await userEvent.click(await screen.findByRole('button', { name: /Bike shop/ }));
  expect(field('Agent Name')).toHaveValue('Juno');
  expect(field('Prompt 3')).not.toHaveValue('');
  await create();
  await waitFor(() => expect(sent(requests, 'POST')).toHaveLength(1));
  expect(sent(requests, 'POST')[0]).toMatchObject({ companyName: 'Harbor Lane Cycles' });
});

it('leaves at once when nothing was typed', async () => {
  fakeServer(listed);
  const page = await openCreate();
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
});

it('asks before what was typed is left behind', async () => {
  fakeServer(listed);
  const page = await openCreate();
  await userEvent.type(field('Agent Name'), 'M');
  await userEvent.click(screen.getByRole('link', { name: 'Back to Agents' }));
  const dialog = within(await screen.findByRole('alertdialog'));
  await userEvent.click(dialog.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(screen.queryByRole('alertdialog')).toBeNull());
  expect(page.path()).toBe('/agents/create');
  expect(field('Agent Name')).toHaveValue('M');
  const closing = new Event('beforeunload', { cancelable: true });
  window.dispatchEvent(closing);
  expect(closing.defaultPrevented).toBe(true);
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  const again = within(await screen.findByRole('alertdialog'));
  await userEvent.click(again.getByRole('button', { name: 'Leave' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
});

it('asks before a form in the tab of the list is left behind', async () => {
  fakeServer(listed);
  openPage('/agents?tab=create', 'token-1');
  await userEvent.type(await screen.findByLabelText('Agent Name'), 'M');
  await userEvent.click(screen.getByRole('tab', { name: 'View Agents' }));
  expect(await screen.findByRole('alertdialog')).toHaveAccessibleName('Leave without saving?');
});

/** Expires the session while the form is filled in. */
async function runsOut(next: object) {
  fakeServer({
    ...listed,
    'GET /api/auth/me': { body: { ...ada, tabKey: adasTabKey } },
    'POST /api/agents': refusal(401, 'Please sign in to continue.', 'unauthenticated'),
    'POST /api/auth/login': { body: { token: 'token-2', ...next } },
  });
  const page = await openCreate();
  fillIn({ 'Agent Name': 'Mia the second' });
  await create();
  await screen.findByLabelText('Email address');
  return page;
}

it('keeps what was typed when the session runs out, until the same person is back', async () => {
  const page = await runsOut({ user: ada, tabKey: adasTabKey });
  expect(sessionStorage).toHaveLength(1);
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('Mia');
  await userEvent.type(await screen.findByLabelText('Email address'), 'ada@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  expect(await screen.findByText('Your draft is back. It is not saved yet.')).toBeVisible();
  expect(page.path()).toBe('/agents/create');
  expect(field('Agent Name')).toHaveValue('Mia the second');
  expect(field('Company Information')).toHaveValue('We are open daily.');
  expect(sessionStorage).toHaveLength(0);
});

it('shows what was typed to nobody else who signs in then, and forgets it', async () => {
  const page = await runsOut({ user: { ...ada, _id: 'user-bob' }, tabKey: btoa('bob'.padEnd(32)) });
  await userEvent.type(screen.getByLabelText('Email address'), 'bob@example.com');
  await userEvent.type(screen.getByLabelText('Password'), 'correct horse{Enter}');
  expect(await screen.findByLabelText('Agent Name')).toHaveValue('');
  expect(page.path()).toBe('/agents/create');
  expect(sessionStorage).toHaveLength(0);
});

it('forgets what was typed with a sign-out', async () => {
  fakeServer({ ...listed, 'POST /api/auth/logout': { status: 204 } });
  await openCreate();
  fillIn();
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }));
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(sessionStorage).toHaveLength(0);
});

const file = (name: string, ...parts: BlobPart[]) => new File(parts, name);

it('takes text files over, behind what stands there already', async () => {
  fakeServer(listed);
  await openCreate();
  put('Company Information', 'We are open daily.\n');
  await userEvent.upload(screen.getByLabelText('Text file to add'), [
    file('prices.md', '# Prices\r\nA ride costs $5.\r\n'),
  ]);
  await waitFor(() =>
    expect(field('Company Information')).toHaveValue('We are open daily.\n\n# Prices\nA ride costs $5.'),
  );
  expect(screen.getByRole('status')).toHaveTextContent('prices.md was added to the company information.');
});

it('takes a dropped file, and says why it cannot take another', async () => {
  fakeServer(listed);
  await openCreate();
  const drop = (dropped: File) =>
    fireEvent.drop(field('Company Information'), { dataTransfer: { types: ['Files'], files: [dropped] } });
  drop(file('hours.txt', 'Open daily.'));
  await waitFor(() => expect(field('Company Information')).toHaveValue('Open daily.'));
  drop(file('logo.png', 'x'));
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Choose a text file whose name ends in .txt or .md.',
  );
  expect(field('Company Information')).toHaveValue('Open daily.');
});

it('puts a long text in where it is pasted', async () => {
  fakeServer(listed);
  await openCreate();
  put('Company Information', 'We are .');
  const area = screen.getByLabelText<HTMLTextAreaElement>('Company Information');
  area.focus();
  area.setSelectionRange(7, 7);
  const text = 'open daily,\r\n'.repeat(1_000);
  fireEvent.paste(area, { clipboardData: { files: [], getData: () => text } });
  expect(area).toHaveValue(`We are ${'open daily,\n'.repeat(1_000)}.`);
  expect(area.selectionStart).toBe(7 + 12_000);
});

const editing = (agent: object = anAgent()) => ({
  ...listed,
  'GET /api/agents/agent-1': { body: agent },
  'GET /api/agents/agent-1/documents': { body: [] },
  'GET /api/agents/agent-1/actions': { body: [] },
  'GET /api/agents/agent-1/versions': { body: [] },
});

async function openEdit() {
  const page = openPage('/agents/edit/agent-1', 'token-1');
  await screen.findByLabelText('Agent Name');
  return page;
}

const save = () => userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));

it('shows the agent to be changed, and saves it with the time the change started from', async () => {
  const requests = fakeServer({ ...editing(), 'PUT /api/agents/agent-1': { body: anAgent() } });
  const page = await openEdit();
  expect(screen.getByRole('heading', { level: 1, name: 'Edit Agent' })).toBeVisible();
  expect(field('Prompt 1')).toHaveValue('Offer a test ride.');
  expect(screen.queryByRole('button', { name: 'Start from an example' })).toBeNull();
  put('Agent Name', 'Noor');
  await save();
  await waitFor(() => expect(page.path()).toBe('/agents'));
  const { _id, createdAt, ...texts } = anAgent({ name: 'Noor' });
  expect(sent(requests, 'PUT')).toEqual([texts]);
});

it('has a prompt row for an agent without prompts', async () => {
  fakeServer(editing(anAgent({ prompts: [] })));
  await openEdit();
  expect(field('Prompt 1')).toHaveValue('');
});

it('shows Saving... while it is being sent', async () => {
  fakeServer({ ...editing(), 'PUT /api/agents/agent-1': never });
  await openEdit();
  await save();
  expect(await screen.findByRole('button', { name: 'Saving...' })).toBeDisabled();
});

it('says that saving failed, and keeps what was typed', async () => {
  fakeServer({ ...editing(), 'PUT /api/agents/agent-1': refusal(503, 'Away.', 'unavailable') });
  const page = await openEdit();
  put('Agent Name', 'Noor');
  await save();
  expect(await screen.findByText('Failed to update agent. Please try again.')).toBeVisible();
  expect(field('Agent Name')).toHaveValue('Noor');
  expect(page.path()).toBe('/agents/edit/agent-1');
});

it('says that an agent could not be loaded, and tries again', async () => {
  let fails = true;
  fakeServer({
    ...listed,
    'GET /api/agents/agent-1': () =>
      fails ? refusal(404, 'This agent does not exist.', 'not-found') : { body: anAgent() },
  });
  openPage('/agents/edit/agent-1', 'token-1');
  expect(await screen.findByText('Failed to load agent. Please try again.')).toBeVisible();
  expect(screen.getByText('This agent does not exist.')).toBeVisible();
  fails = false;
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }));
  expect(await screen.findByLabelText('Agent Name')).toHaveValue('Mia');
});

it('offers to keep what was typed when the agent was deleted meanwhile', async () => {
  const requests = fakeServer({
    ...editing(),
    'PUT /api/agents/agent-1': refusal(404, 'This agent does not exist.', 'not-found'),
    'POST /api/agents': { status: 201, body: anAgent() },
  });
  const page = await openEdit();
  put('Agent Name', 'Noor');
  await save();
  const alert = within(await screen.findByRole('alert'));
  expect(alert.getByText('Failed to update agent. Please try again.')).toBeVisible();
  expect(alert.getByText('This agent does not exist.')).toBeVisible();
  await userEvent.click(alert.getByRole('button', { name: 'Save as a new agent' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(sent(requests, 'POST')).toMatchObject([{ name: 'Noor' }]);
});

it('tells that another save was replaced, shows what it said, and brings it back', async () => {
  const other = anAgent({ name: 'From another tab', updatedAt: '2026-11-05T16:00:00.000Z' });
  const mine = anAgent({ name: 'Mine', updatedAt: '2026-11-05T17:00:00.000Z' });
  const requests = fakeServer({
    ...editing(),
    'PUT /api/agents/agent-1': ({ body }) =>
      JSON.stringify(body).includes('Mine') ? { body: { ...mine, replaced: other } } : { body: other },
  });
  const page = await openEdit();
  put('Agent Name', 'Mine');
  await save();
  expect(
    await screen.findByText('Your changes are saved. They replaced another version of this agent.'),
  ).toBeVisible();
  expect(page.path()).toBe('/agents/edit/agent-1');
  // The focus moves to the notice.
  expect(document.activeElement).toHaveTextContent('They replaced another version');
  await userEvent.click(screen.getByRole('button', { name: 'See the other version' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'The other version' }));
  expect(dialog.getByText('From another tab')).toBeVisible();
  expect(dialog.queryByText('Personality')).toBeNull();
  await userEvent.click(dialog.getByRole('button', { name: 'Bring it back' }));
  await waitFor(() => expect(field('Agent Name')).toHaveValue('From another tab'));
  await save();
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(sent(requests, 'PUT')).toMatchObject([
    { name: 'Mine', updatedAt: anAgent().updatedAt },
    { name: 'From another tab', updatedAt: mine.updatedAt },
  ]);
});
