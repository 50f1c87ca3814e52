import { act, cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { beforeEach, expect, it, vi } from 'vitest';
import type { StartConversation, UserMessage } from '#shared/realtime';
import { FakeSoundContext } from '#web/lib/loudspeaker/fake-sound-context';
import type { RealtimeListener } from '#web/lib/server/socket';
import { ada, adasTabKey, fakeServer, openPage, refusal } from '#web/test-support';

const at = new Date().toISOString();
const demoAgent = { name: 'Sigma', company: 'Northwind' };

/** The real-time channel, whose server the test plays. */
const channel = vi.hoisted(() => ({
  server: null as RealtimeListener | null,
  starts: [] as StartConversation[],
  messages: [] as UserMessage[],
  tokens: [] as string[],
  open: 0,
  acknowledges: true,
}));
vi.mock('#web/lib/server/socket', () => ({
  openRealtime: (token: string, listener: RealtimeListener) => {
    channel.server = listener;
    channel.tokens.push(token);
    channel.open += 1;
    return {
      start: async (payload: StartConversation) => {
        channel.starts.push(payload);
        return { ok: true, conversationId: 'call-1' };
      },
      say: async (payload: UserMessage) => {
        channel.messages.push(payload);
        if (!channel.acknowledges) await new Promise(() => {});
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

const ready = { state: 'ready', message: 'Ready.' };
const answers = {
  'GET /api/auth/me': { body: ada },
  'GET /api/status': {
    body: {
      brain: { name: 'Grounded responder', kind: 'grounded', status: ready },
      voice: { name: 'Piper', status: ready },
      ears: { name: 'Moonshine', status: ready },
      policy: { retentionDays: null, audioStaysHere: false },
    },
  },
  'GET /api/conversations/call-1': {
    body: {
      _id: 'call-1',
      title: 'Demo call',
      metadata: { sentiment: 'neutral', duration: 9, created: at },
      messages: [],
    },
  },
};

beforeEach(() => {
  Object.assign(channel, { server: null, starts: [], messages: [], tokens: [], open: 0, acknowledges: true });
  vi.stubGlobal('AudioContext', FakeSoundContext);
});

async function openCall() {
  const page = openPage('/call-simulator', 'token-1');
  await screen.findByText('Connecting…');
  return page;
}

/** Lets the server start the call. */
async function begin() {
  await act(async () => channel.server?.connected());
  await act(async () =>
    channel.server?.started({
      conversationId: 'call-1',
      demoAgent,
      welcomeMessage: {
        _id: 'welcome',
        role: 'assistant',
        author: { kind: 'agent' },
        content: 'Hello there!',
        timestamp: at,
      },
    }),
  );
}

it('starts a demo call for the signed-in user and names the agent once it is known', async () => {
  fakeServer(answers);
  await openCall();
  expect(screen.getByRole('heading', { level: 1, name: 'Customer Support' })).toBeVisible();
  await begin();
  expect(channel.tokens).toEqual(['token-1']);
  expect(channel.starts).toEqual([{ userId: ada._id, isCallSimulator: true }]);
  expect(screen.getByRole('heading', { level: 1, name: 'Sigma' })).toBeVisible();
  expect(screen.getByText('Northwind')).toBeVisible();
  expect(screen.getByText('Hello there!')).toBeVisible();
  expect(await screen.findByText('Grounded responder')).toBeVisible();
  expect(screen.getByRole('link', { name: 'Back to conversations' })).toHaveAttribute(
    'href',
    '/conversations',
  );
});

it('talks', async () => {
  fakeServer(answers);
  await openCall();
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'When do you open?');
  expect(screen.getByRole('button', { name: 'Send message' })).toBeDisabled();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'Send message' }));
  expect(channel.messages).toMatchObject([{ conversationId: 'call-1', message: 'When do you open?' }]);
  await act(async () =>
    channel.server?.response({
      conversationId: 'call-1',
      responseId: 'reply-1',
      messageId: 'message-1',
      author: { kind: 'agent' },
      replyTo: 'stored-1',
      message: 'At eight.',
      demoAgent,
      timestamp: at,
    }),
  );
  expect(screen.getByText('At eight.')).toBeVisible();
});

it('learns what the call is about, and so do the lists, without asking again', async () => {
  const created = new Date().toISOString();
  const listed = {
    _id: 'call-1',
    title: 'Demo call',
    metadata: { sentiment: 'neutral', duration: 9, created, updated: created },
  };
  fakeServer({ ...answers, 'GET /api/conversations': { body: [listed] } });
  const page = openPage('/conversations', 'token-1');
  await screen.findByRole('link', { name: 'Demo call' });
  await act(() => page.router.navigate('/call-simulator'));
  await screen.findByText('Connecting…');
  await begin();
  // Later requests never get an answer.
  vi.stubGlobal('fetch', () => new Promise(() => {}));
  await act(async () => {
    const update = { sentiment: 'negative', outcome: 'handover', contact: { name: 'Maria Jones' } } as const;
    channel.server?.conversationUpdated({ conversationId: 'call-1', title: 'Lost Parcel', ...update });
    channel.server?.conversationUpdated({ conversationId: 'call-2', title: 'Not This One' });
  });
  expect(document.title).toBe('Lost Parcel · Sigma');
  expect(screen.getByText('Noted for a colleague: Maria Jones')).toBeVisible();
  await act(() => page.router.navigate('/conversations'));
  expect(await screen.findByRole('link', { name: 'Lost Parcel' })).toBeVisible();
  const card = within(screen.getByRole('article'));
  expect(card.getByText('Negative')).toBeVisible();
  expect(card.getByText('Needs a colleague')).toBeVisible();
});

it('remembers the call in its history entry, so that a reload goes on with it', async () => {
  fakeServer(answers);
  const page = await openCall();
  await begin();
  await waitFor(() => expect(page.router.state.location.state).toEqual({ conversationId: 'call-1' }));
  expect(channel.open).toBe(1);
});

it('sends what was under way when the page was loaded again, once, and keeps it unread until then', async () => {
  fakeServer({ ...answers, 'GET /api/auth/me': { body: { ...ada, tabKey: adasTabKey } } });
  await openCall();
  await begin();
  channel.acknowledges = false;
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'My card is lost{Enter}');
  expect(channel.messages).toHaveLength(1);
  cleanup();
  expect(JSON.stringify({ ...sessionStorage })).not.toContain('card');
  expect(sessionStorage).toHaveLength(1);
  channel.acknowledges = true;
  await openCall();
  await begin();
  expect(await screen.findByText('My card is lost')).toBeVisible();
  await waitFor(() => expect(channel.messages).toHaveLength(2));
  expect(channel.messages[1]).toEqual(channel.messages[0]);
  await waitFor(() => expect(sessionStorage).toHaveLength(0));
  // The server has stored it: another page finds nothing to send.
  cleanup();
  await openCall();
  await begin();
  expect(channel.messages).toHaveLength(2);
});

it('hangs up: tells the server, leaves the channel and shows the conversation', async () => {
  const requests = fakeServer({ ...answers, 'PUT /api/conversations/call-1/end': { body: {} } });
  const page = await openCall();
  await begin();
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'Hello{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  expect(await screen.findByRole('heading', { name: 'Demo call' })).toBeVisible();
  expect(page.path()).toBe('/conversations/call-1');
  expect(requests).toContainEqual(
    expect.objectContaining({ method: 'PUT', path: '/api/conversations/call-1/end' }),
  );
  expect(channel.open).toBe(0);
});

it('leads to all conversations where nothing was said: such a call is not kept', async () => {
  fakeServer({
    ...answers,
    'PUT /api/conversations/call-1/end': { body: {} },
    'GET /api/conversations': { body: [] },
  });
  const page = await openCall();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  await waitFor(() => expect(page.path()).toBe('/conversations'));
});

it('hangs up all the same when the server cannot be told', async () => {
  const log = vi.spyOn(console, 'warn').mockReturnValue();
  fakeServer({
    ...answers,
    'PUT /api/conversations/call-1/end': refusal(503, 'The database is away.', 'unavailable'),
  });
  const page = await openCall();
  await begin();
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'Hello{Enter}');
  await userEvent.click(screen.getByRole('button', { name: 'End Call' }));
  await waitFor(() => expect(page.path()).toBe('/conversations/call-1'));
  expect(log).toHaveBeenCalledWith('The call was not ended on the server.', expect.anything());
  expect(screen.queryByRole('alert')).toBeNull();
});

it('remembers that the agent was muted', async () => {
  fakeServer(answers);
  await openCall();
  await begin();
  await userEvent.click(screen.getByRole('button', { name: 'Mute the agent' }));
  await userEvent.type(screen.getByPlaceholderText('Type your message...'), 'Quietly{Enter}');
  expect(channel.messages).toMatchObject([{ voice: false }]);
  expect(localStorage.getItem('sigma.voice')).toBe('off');
});

it('leaves for the sign-in page when the session is gone', async () => {
  fakeServer(answers);
  const page = await openCall();
  await act(async () => channel.server?.signedOut());
  await screen.findByRole('heading', { name: 'Welcome Back' });
  expect(page.path()).toBe('/login');
  expect(screen.getByRole('status')).toHaveTextContent('Your session has ended. Please sign in again.');
});
