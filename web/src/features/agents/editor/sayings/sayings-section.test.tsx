import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { FakeSoundContext } from '#web/lib/loudspeaker/fake-sound-context';
import { ada, fakeServer, openPage } from '#web/test-support';
import { anAgent } from '../../test-agents.ts';

const nothing = { greeting: '', goodbye: '', answers: [], neverSay: [], handOverWhen: [] };
const agentOf = (change: object = {}) => ({
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [] },
  'GET /api/agents/agent-1': { body: anAgent(change) },
  'GET /api/agents/agent-1/versions': { body: [] },
  'GET /api/agents/agent-1/documents': { body: [] },
  'GET /api/agents/agent-1/actions': { body: [] },
  'PUT /api/agents/agent-1': { body: anAgent(change) },
  'POST /api/agents/sayings': { body: nothing },
});

beforeEach(() => {
  vi.stubGlobal('AudioContext', FakeSoundContext);
});

async function open(server: Parameters<typeof fakeServer>[0]) {
  const requests = fakeServer(server);
  const page = openPage('/agents/edit/agent-1', 'token-1');
  await screen.findByLabelText('Agent Name');
  return {
    saved: async () => {
      await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
      await waitFor(() => expect(page.path()).toBe('/agents'));
      return requests.find(({ method }) => method === 'PUT')?.body;
    },
    requests,
  };
}
const section = () => screen.getByText('What it says').closest('details');
const put = (label: string, text: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value: text } });

it('is closed until some of it is used, and then sends nothing that nobody decided', async () => {
  const { saved } = await open(agentOf());
  expect(section()).not.toHaveAttribute('open');
  const body = await saved();
  for (const field of Object.keys(nothing)) expect(body).not.toHaveProperty(field);
});

it('shows what was decided, and sends it with what is written', async () => {
  const { saved } = await open(agentOf({ greeting: 'Good morning!', neverSay: ['cheap', 'problem'] }));
  expect(section()).toHaveAttribute('open');
  expect(screen.getByLabelText('Greeting')).toHaveValue('Good morning!');
  expect(screen.getByLabelText('Words it never says')).toHaveValue('cheap\nproblem');
  put('Greeting', '');
  put('Words it never says', 'cheap\n\n sorry ');
  await userEvent.click(screen.getByRole('button', { name: 'Add Answer' }));
  const answer = within(screen.getByRole('group', { name: 'Answer 1' }));
  fireEvent.change(answer.getByLabelText('When asked about'), { target: { value: 'a discount\ncheaper' } });
  fireEvent.change(answer.getByLabelText('It says'), { target: { value: 'Our prices are fixed.' } });
  const body = await saved();
  expect(body).toMatchObject({
    greeting: '',
    neverSay: ['cheap', 'sorry'],
    answers: [{ about: 'a discount\ncheaper', say: 'Our prices are fixed.' }],
  });
  expect(body).not.toHaveProperty('goodbye');
});

it('opens where something in it is wrong, and says what', async () => {
  const { requests } = await open(agentOf({ answers: [{ about: 'a discount', say: 'No.' }] }));
  const answer = within(screen.getByRole('group', { name: 'Answer 1' }));
  fireEvent.change(answer.getByLabelText('It says'), { target: { value: ' ' } });
  put('Words it never says', 'x'.repeat(101));
  await userEvent.click(screen.getByRole('button', { name: 'Save Changes' }));
  expect(await screen.findByText('Enter what the agent says.')).toBeVisible();
  expect(screen.getByText('Use words of at most 100 characters, one to a line.')).toBeVisible();
  expect(answer.getByLabelText('It says')).toBeInvalid();
  expect(section()).toHaveAttribute('open');
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('shows what was read in the prompts, and puts it into the fields once that is confirmed', async () => {
  const { saved, requests } = await open({
    ...agentOf({ prompts: ['Greet callers with "Hello!"', 'Never say "cheap".'], goodbye: 'Bye now.' }),
    'POST /api/agents/sayings': {
      body: { ...nothing, greeting: 'Hello!', goodbye: 'See you.', neverSay: ['cheap'] },
    },
  });
  const notice = within(
    await screen.findByRole(
      'region',
      { name: 'Your prompts tell the agent what to say' },
      { timeout: 5_000 },
    ),
  );
  expect(requests.find(({ path }) => path === '/api/agents/sayings')?.body).toEqual({
    prompts: ['Greet callers with "Hello!"', 'Never say "cheap".'],
  });
  expect(notice.getByText('“Hello!”')).toBeVisible();
  // It was decided already.
  expect(notice.queryByText('“See you.”')).toBeNull();
  await userEvent.click(notice.getByRole('button', { name: 'Use these' }));
  expect(screen.queryByText('Your prompts tell the agent what to say')).toBeNull();
  expect(section()).toHaveAttribute('open');
  expect(section()?.querySelector('summary')).toHaveFocus();
  expect(screen.getByLabelText('Greeting')).toHaveValue('Hello!');
  expect(await saved()).toMatchObject({
    greeting: 'Hello!',
    goodbye: 'Bye now.',
    answers: [],
    neverSay: ['cheap'],
    handOverWhen: [],
    prompts: ['Greet callers with "Hello!"', 'Never say "cheap".'],
  });
});
