import { act, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { StartConversation, StartConversationAck, UserMessage } from '#shared/realtime';
import { FakeSoundContext } from '#web/lib/loudspeaker/fake-sound-context';
import type { RealtimeListener } from '#web/lib/server/socket';
import { ada, fakeServer, openPage, refusal } from '#web/test-support';

/** The real-time channel, whose server the test plays. */
const channel = vi.hoisted(() => ({
  server: null as RealtimeListener | null,
  starts: [] as StartConversation[],
  messages: [] as UserMessage[],
  startAnswer: { ok: true, conversationId: 'call-1' } as StartConversationAck,
  open: 0,
}));
vi.mock('#web/lib/server/socket', () => ({
  openRealtime: (_token: string, listener: RealtimeListener) => {
    channel.server = listener;
    channel.open += 1;
    return {
      start: async (payload: StartConversation) => {
        channel.starts.push(payload);
        return channel.startAnswer;
      },
      say: async (payload: UserMessage) => {
        channel.messages.push(payload);
        return { ok: true, messageId: 'stored-1' };
      },
      interrupt: async () => ({ ok: true }),
      speechStart: async () => ({ ok: true }),
      speechAudio: async () => ({ ok: true }),
      speechEnd: async () => ({ ok: true, text: '' }),
      playback: () => {},
      close: () => {
        channel.open -= 1;
      },
    };
  },
}));

const agent = {
  _id: 'agent-1',
  name: 'Mia',
  companyName: 'Contoso Bikes',
  personality: 'Friendly.',
  companyInfo: '# Questions\n- Do you repair bikes?\nYes, within two days.',
  prompts: ['Offer a test ride.'],
};
const agentInfo = {
  name: 'Mia',
  company: 'Contoso Bikes',
  personality: agent.personality,
  companyInfo: agent.companyInfo,
  prompts: agent.prompts,
};
const ready = { state: 'ready', message: 'Ready.' };
const answers = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [agent].map((each) => ({ ...each, createdAt: '', updatedAt: '' })) },
  'GET /api/status': {
    body: {
      brain: { name: 'Grounded responder', kind: 'grounded', status: ready },
      voice: { name: 'Piper', status: ready },
      ears: { name: 'Moonshine', status: ready },
      policy: { retentionDays: null, audioStaysHere: false },
    },
  },
};

beforeEach(() => {
  Object.assign(channel, {
    server: null,
    starts: [],
    messages: [],
    startAnswer: { ok: true, conversationId: 'call-1' },
    open: 0,
  });
  vi.stubGlobal('AudioContext', FakeSoundContext);
});

/** Opens the call as the list of agents does. */
async function openCall(state: object = { agent }) {
  const page = openPage('/agents', 'token-1');
  await screen.findByRole('heading', { name: 'AI Agents' });
  await act(() => page.router.navigate('/calls/Mia', { state }));
  await screen.findByRole('heading', { level: 1, name: 'Call' });
  return page;
}

/** Lets the server start the call. */
async function begin() {
  await act(async () => channel.server?.connected());
  await act(async () =>
    channel.server?.started({
      conversationId: 'call-1',
      demoAgent: { name: 'Mia', company: 'Contoso Bikes' },
      welcomeMessage: {
        _id: 'welcome',
        role: 'assistant',
        author: { kind: 'agent' },
        content: 'Hello there!',
        timestamp: new Date().toISOString(),
      },
    }),
  );
}

it('shows the agent and its company, in a window of 600 px', async () => {
  fakeServer(answers);
  await openCall();
  expect(screen.getByRole('heading', { level: 2, name: 'Mia' })).toBeVisible();
  expect(screen.getByText('Contoso Bikes')).toBeVisible();
  expect(document.querySelector('[class~="h-[600px]"]')).toContainElement(screen.getByLabelText('Message'));
});

it('starts once the channel is open, with the agent it was handed', async () => {
  fakeServer(answers);
  await openCall();
  expect(channel.starts).toEqual([]);
  await begin();
  expect(channel.starts).toEqual([
    { userId: ada._id, isCallSimulator: false, agentId: 'agent-1', agentInfo },
  ]);
  expect(await screen.findByText('Hello there!')).toBeVisible();
});

it('talks, naming user and agent with every message', async () => {
  fakeServer(answers);
  await openCall();
  await begin();
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'When do you open?{Enter}');
  expect(channel.messages).toMatchObject([
    {
      conversationId: 'call-1',
      message: 'When do you open?',
      userId: ada._id,
      agentId: 'agent-1',
    },
  ]);
  // A message names only what the screen shows: the start has sent the agent's knowledge.
  expect(channel.messages[0]?.agentInfo).toEqual({ name: 'Mia', company: 'Contoso Bikes' });
});

it('suggests questions that the company wrote down itself', async () => {
  fakeServer(answers);
  await openCall();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'Do you repair bikes?' }));
  expect(channel.messages).toMatchObject([{ message: 'Do you repair bikes?' }]);
});

it('shows what the server says went wrong, until something is said again', async () => {
  fakeServer(answers);
  await openCall();
  await begin();
  const field = screen.getByPlaceholderText('Type your message...');
  await userEvent.type(field, 'First{Enter}');
  await act(async () =>
    channel.server?.error({ message: 'This agent does not exist.', code: 'not-found', retryable: false }),
  );
  expect(screen.getByRole('alert')).toHaveTextContent('This agent does not exist.');
  await userEvent.type(field, 'Second{Enter}');
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says why the call could not be started', async () => {
  fakeServer(answers);
  channel.startAnswer = {
    ok: false,
    error: { message: 'This agent does not exist.', code: 'not-found', retryable: false },
  };
  await openCall();
  await act(async () => channel.server?.connected());
  expect(await screen.findByRole('alert')).toHaveTextContent('This agent does not exist.');
});

it('hangs up: tells the server and goes to the agents', async () => {
  const requests = fakeServer({ ...answers, 'PUT /api/conversations/call-1/end': { body: {} } });
  const page = await openCall();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(requests).toContainEqual(
    expect.objectContaining({ method: 'PUT', path: '/api/conversations/call-1/end' }),
  );
  await waitFor(() => expect(channel.open).toBe(0));
});

it('goes to the agents even when the server cannot be told, and only logs that', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({ ...answers, 'PUT /api/conversations/call-1/end': refusal(503, 'Away.', 'unavailable') });
  const page = await openCall();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(log).toHaveBeenCalledWith('The call was not ended on the server.', expect.anything());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('can be left with End Call before it has begun', async () => {
  const requests = fakeServer(answers);
  const page = await openCall();
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  await waitFor(() => expect(page.path()).toBe('/agents'));
  expect(requests.filter(({ method }) => method === 'PUT')).toEqual([]);
});

it('goes on with its call after a reload: the history entry remembers agent and call', async () => {
  fakeServer(answers);
  const page = await openCall();
  await begin();
  await waitFor(() => expect(page.router.state.location.state).toEqual({ agent, conversationId: 'call-1' }));
  expect(channel.open).toBe(1);
});

it('takes up the call that the history entry remembers', async () => {
  fakeServer(answers);
  await openCall({ agent, conversationId: 'call-1' });
  await begin();
  expect(channel.starts).toMatchObject([{ agentId: 'agent-1', conversationId: 'call-1' }]);
});

it.each([undefined, {}, { agent: 'Mia' }])(
  'leads to the agents without an agent in state (%j)',
  async (state) => {
    fakeServer(answers);
    const page = openPage('/agents/create', 'token-1');
    await screen.findByLabelText('Agent Name');
    await act(() => page.router.navigate('/calls/Mia', state === undefined ? {} : { state }));
    await waitFor(() => expect(page.path()).toBe('/agents'));
    expect(page.router.state.historyAction).toBe('REPLACE');
    expect(channel.open).toBe(0);
  },
);

it('leads an anonymous visitor to the sign-in', async () => {
  fakeServer({});
  const page = openPage('/calls/Mia');
  await screen.findByRole('heading', { name: 'Welcome Back' });
  await act(() => page.router.navigate('/calls/Mia', { state: { agent } }));
  await waitFor(() => expect(page.path()).toBe('/login'));
  expect(channel.open).toBe(0);
});
