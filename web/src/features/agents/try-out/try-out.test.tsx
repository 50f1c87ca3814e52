import { screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import { clip, FakeSoundContext } from '#web/lib/loudspeaker/fake-sound-context';
import { ada, fakeServer, never, openPage, refusal, type SeenRequest } from '#web/test-support';
import { anAgent } from '../test-agents.ts';

const signedIn = { 'GET /api/auth/me': { body: ada } };

const sounds: FakeSoundContext[] = [];
beforeEach(() => {
  sounds.length = 0;
  vi.stubGlobal(
    'AudioContext',
    class extends FakeSoundContext {
      constructor() {
        super();
        sounds.push(this);
      }
    },
  );
});

const audioData = btoa(String.fromCharCode(...clip(2)));
const spoken = (message: string) => ({
  body: {
    message,
    citations: [{ source: 'Opening hours', text: message }],
    audioData,
    audioType: 'audio/mpeg',
  },
});

async function openDraft(answers: Parameters<typeof fakeServer>[0]) {
  const requests = fakeServer({
    ...signedIn,
    'GET /api/agents/agent-1': { body: anAgent() },
    ...answers,
  });
  const page = openPage('/agents/edit/agent-1', 'token-1');
  await screen.findByLabelText('Agent Name');
  return { requests, page };
}

const ask = (text: string) => userEvent.type(screen.getByLabelText('Ask the draft'), `${text}{Enter}`);
const talk = () => within(screen.getByRole('log', { name: 'Rehearsal' }));
const turns = (requests: readonly SeenRequest[]) =>
  requests.filter(({ path }) => path === '/api/agents/try').map(({ body }) => body);

it('talks with the draft as the form says it now, and says that nothing is stored', async () => {
  const { requests } = await openDraft({ 'POST /api/agents/try': spoken('We open at nine.') });
  expect(screen.getByText('A rehearsal: nothing is stored.')).toBeVisible();
  await userEvent.type(screen.getByLabelText('Company Information'), ' And on Sundays.');
  await ask('When do you open?');
  expect(await talk().findByText('We open at nine.')).toBeVisible();
  expect(talk().getByText('When do you open?')).toBeVisible();
  expect(talk().getByRole('button', { name: '1 source' })).toBeVisible();
  await ask('And on Sunday?');
  await waitFor(() => expect(turns(requests)).toHaveLength(2));
  const { _id, createdAt, updatedAt, ...draft } = anAgent({
    companyInfo: `${anAgent().companyInfo} And on Sundays.`,
  });
  expect(turns(requests)).toEqual([
    { agent: draft, agentId: 'agent-1', history: [], message: 'When do you open?', voice: true },
    {
      agent: draft,
      agentId: 'agent-1',
      history: [
        { role: 'user', content: 'When do you open?' },
        { role: 'assistant', content: 'We open at nine.' },
      ],
      message: 'And on Sunday?',
      voice: true,
    },
  ]);
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('is heard, and can be heard again', async () => {
  await openDraft({ 'POST /api/agents/try': spoken('Hello, this is Mia.') });
  await userEvent.click(screen.getByRole('button', { name: 'Hear its welcome' }));
  await waitFor(() => expect(sounds[0]?.played).toHaveLength(1));
  await userEvent.click(await talk().findByRole('button', { name: 'Stop' }));
  await userEvent.click(await talk().findByRole('button', { name: 'Play again' }));
  await waitFor(() => expect(sounds[0]?.played).toHaveLength(2));
});

it('asks for text alone while it is muted', async () => {
  const { requests } = await openDraft({
    'POST /api/agents/try': { body: { message: 'We open at nine.', citations: [] } },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Mute the agent' }));
  await ask('When?');
  await talk().findByText('We open at nine.');
  expect(turns(requests)).toMatchObject([{ voice: false }]);
  expect(talk().queryByRole('button', { name: 'Play again' })).toBeNull();
});

it('says what the draft still needs before it can answer', async () => {
  const { requests } = await openDraft({ 'POST /api/agents/try': spoken('Yes.') });
  await userEvent.clear(screen.getByLabelText('Company Information'));
  await ask('When?');
  expect(
    await screen.findByText('Fill in the marked fields first. Then the agent can answer.'),
  ).toBeVisible();
  expect(screen.getByText('Enter what the agent should know about the company.')).toBeVisible();
  expect(screen.getByLabelText('Ask the draft')).toHaveValue('When?');
  expect(turns(requests)).toEqual([]);
});

it('says why there is no answer, and takes the next question', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  let fails = true;
  await openDraft({
    'POST /api/agents/try': () =>
      fails
        ? refusal(429, 'Too many attempts. Please wait a moment and try again.', 'rate-limited')
        : spoken('At nine.'),
  });
  await ask('When?');
  expect(await talk().findByRole('alert')).toHaveTextContent(
    'Too many attempts. Please wait a moment and try again.',
  );
  fails = false;
  await ask('When?');
  expect(await talk().findByText('At nine.')).toBeVisible();
  expect(talk().queryByRole('alert')).toBeNull();
});

it('sends no blank question, and one at a time', async () => {
  const { requests } = await openDraft({ 'POST /api/agents/try': never });
  await ask('   ');
  expect(turns(requests)).toEqual([]);
  await ask('First?');
  await ask('Second?');
  expect(turns(requests)).toHaveLength(1);
});

it('starts over', async () => {
  const { requests } = await openDraft({ 'POST /api/agents/try': spoken('At nine.') });
  await ask('When?');
  await talk().findByText('At nine.');
  await userEvent.click(screen.getByRole('button', { name: 'Start over' }));
  expect(talk().queryByText('At nine.')).toBeNull();
  await ask('When now?');
  await talk().findByText('At nine.');
  expect(turns(requests)[1]).toMatchObject({ history: [] });
});

it('asks no leave for a talk alone: only typing changes the form', async () => {
  const { page } = await openDraft({
    'POST /api/agents/try': spoken('At nine.'),
    'GET /api/agents': { body: [] },
  });
  await ask('When?');
  await talk().findByText('At nine.');
  await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
});
