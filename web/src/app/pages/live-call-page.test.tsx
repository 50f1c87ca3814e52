import { act, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ParticipantKind } from 'livekit-client';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { aParticipant, FakeRoom } from '#web/features/rooms/connection/fake-room';
import { ada, fakeServer, never, openPage, refusal } from '#web/test-support';

vi.mock('livekit-client', async (original) => {
  const { FakeRoom: Fake } = await import('#web/features/rooms/connection/fake-room');
  return Object.assign({}, await original<object>(), { Room: Fake });
});

const answers = {
  'GET /api/auth/me': { body: ada },
  'GET /api/agents': { body: [] },
  'POST /api/livekit/create-room': { body: { roomName: 'support', wsUrl: 'ws://care.example.com' } },
  'POST /api/livekit/join-room': {
    body: { participantToken: 'key', wsUrl: 'ws://care.example.com', roomName: 'support' },
  },
  'POST /api/livekit/create-test-room': {
    body: { token: 'test-key', wsUrl: 'https://care.example.com', name: 'test-room' },
  },
};

beforeEach(() => {
  FakeRoom.reset();
  vi.spyOn(console, 'warn').mockReturnValue();
});

async function open(path = '/live-call', more: Parameters<typeof fakeServer>[0] = {}) {
  const requests = fakeServer({ ...answers, ...more });
  const page = openPage(path, 'token-1');
  await screen.findByRole('heading', { name: 'Live Call' });
  return { page, requests };
}

const joinRoom = () => userEvent.click(screen.getByRole('button', { name: 'Join Room' }));
const room = () => {
  const opened = FakeRoom.opened.at(-1);
  if (!opened) throw new Error('No room was opened.');
  return opened;
};

it('joins the room of the address, after making it', async () => {
  const { requests } = await open('/live-call/support');
  expect(screen.getByLabelText('Room Name')).toHaveValue('support');
  expect(screen.getByPlaceholderText('Enter room name')).toBeVisible();
  await joinRoom();
  expect(await screen.findByText('Connected to room:', { exact: false })).toHaveTextContent(
    'Connected to room: support',
  );
  const body = { roomName: 'support', participantName: ada.name, participantIdentity: ada._id };
  expect(requests.filter(({ method }) => method === 'POST')).toMatchObject([
    { path: '/api/livekit/create-room', body, authorization: 'Bearer token-1' },
    { path: '/api/livekit/join-room', body },
  ]);
  expect(room().connected).toMatchObject({ url: 'ws://care.example.com', token: 'key' });
  expect(room().options).toMatchObject({
    adaptiveStream: true,
    dynacast: true,
    stopLocalTrackOnUnpublish: true,
  });
});

it('asks for a name before it asks the server', async () => {
  const { requests } = await open();
  await userEvent.type(screen.getByLabelText('Room Name'), '   ');
  await joinRoom();
  expect(screen.getByRole('alert')).toHaveTextContent('Please enter a room name');
  expect(requests.some(({ method }) => method === 'POST')).toBe(false);
});

it('shows that it is joining and takes no second click', async () => {
  await open('/live-call/support', { 'POST /api/livekit/create-room': never() });
  await joinRoom();
  const buttons = screen.getAllByRole('button', { name: 'Joining...' });
  expect(buttons).toHaveLength(2);
  for (const button of buttons) expect(button).toBeDisabled();
  expect(screen.getByLabelText('Room Name')).toBeDisabled();
});

it('shows the words of the server when it refuses', async () => {
  await open('/live-call/support', {
    'POST /api/livekit/join-room': refusal(403, 'This room is full.', 'forbidden'),
  });
  await joinRoom();
  expect(await screen.findByRole('alert')).toHaveTextContent('This room is full.');
  expect(screen.getByRole('button', { name: 'Join Room' })).toBeEnabled();
});

it('says that it failed when there are no words', async () => {
  FakeRoom.connecting = () => Promise.reject(new Error('signal connection'));
  await open('/live-call/support');
  await joinRoom();
  expect(await screen.findByRole('alert')).toHaveTextContent('Failed to join room');
});

it('joins the test room without a name', async () => {
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Join Test Room' }));
  expect(await screen.findByText('Connected to room:', { exact: false })).toHaveTextContent(
    'Connected to room: test-room',
  );
  expect(room().connected).toMatchObject({ url: 'wss://care.example.com', token: 'test-key' });
});

it("shows the error's own message when the test room fails", async () => {
  FakeRoom.connecting = () => Promise.reject(new Error('could not establish signal connection'));
  await open();
  await userEvent.click(screen.getByRole('button', { name: 'Join Test Room' }));
  expect(await screen.findByRole('alert')).toHaveTextContent('could not establish signal connection');
});

it('lists who is there, and waits for others', async () => {
  await open('/live-call/support');
  await joinRoom();
  const list = await screen.findByRole('region', { name: 'Participants' });
  expect(within(list).getByText('You (Local)')).toBeVisible();
  expect(within(list).getByText('Waiting for others to join...')).toBeVisible();
  act(() => room().comes(aParticipant({ identity: 'user-grace', name: 'Grace Hopper' })));
  expect(within(list).getByText('user-grace')).toBeVisible();
  expect(within(list).getByText('Grace Hopper')).toBeVisible();
  expect(within(list).queryByText('Waiting for others to join...')).toBeNull();
  act(() => room().goes('user-grace'));
  expect(within(list).queryByText('user-grace')).toBeNull();
});

it('says what the agent does', async () => {
  await open('/live-call/support');
  await joinRoom();
  expect(await screen.findByText('The agent is on its way…')).toBeVisible();
  const attributes = { 'lk.agent.state': 'listening', 'sigma.notice': 'The ears are being loaded.' };
  const agent = { identity: 'agent-1', name: 'Sigma', kind: ParticipantKind.AGENT, attributes };
  act(() => room().comes(aParticipant(agent)));
  expect(screen.getByText('Sigma: Listening')).toBeVisible();
  expect(screen.getByText('The ears are being loaded.')).toBeVisible();
});

it('mutes and unmutes', async () => {
  await open('/live-call/support');
  await joinRoom();
  await userEvent.click(await screen.findByRole('button', { name: 'Mute microphone' }));
  await waitFor(() => expect(room().localParticipant.microphone).toEqual({ isMuted: true }));
  await userEvent.click(await screen.findByRole('button', { name: 'Unmute microphone' }));
  await waitFor(() => expect(room().localParticipant.microphone).toEqual({ isMuted: false }));
});

it('says when the microphone is refused, and goes on', async () => {
  FakeRoom.microphone = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  await open('/live-call/support');
  await joinRoom();
  expect(await screen.findByRole('alert')).toHaveTextContent(
    'Could not access microphone. Please check your permissions.',
  );
  expect(screen.getByRole('button', { name: 'Unmute microphone' })).toBeEnabled();
});

it('hangs up: leaves the room and comes back to an empty form', async () => {
  await open('/live-call/support');
  await joinRoom();
  await userEvent.click(await screen.findByRole('button', { name: 'Hang up' }));
  expect(screen.getByLabelText('Room Name')).toHaveValue('');
  expect(room().disconnects).toBe(1);
});

it('leaves the room with the page', async () => {
  const { page } = await open('/live-call/support');
  await joinRoom();
  await screen.findByRole('button', { name: 'Hang up' });
  await act(() => page.router.navigate('/agents'));
  expect(room().disconnects).toBe(1);
});

describe('a room of one’s own', () => {
  const own = {
    roomName: 'support',
    access: 'members',
    locked: false,
    lobby: true,
    agentStays: false,
    waiting: [{ identity: 'user-mallory', name: 'Mallory' }],
  };
  const asOwner = {
    'POST /api/livekit/join-room': {
      body: {
        participantToken: 'key',
        wsUrl: 'ws://care.example.com',
        roomName: 'support',
        isOwner: true,
      },
    },
    'GET /api/livekit/rooms/support': { body: own },
  };

  it('is closed and opened by switches that hold at once', async () => {
    const { requests } = await open('/live-call/support', {
      ...asOwner,
      'PUT /api/livekit/rooms/support': ({ body }) => ({ body: Object.assign({}, own, body) }),
    });
    await joinRoom();
    await userEvent.click(await screen.findByRole('button', { name: 'Your room' }));
    const invited = screen.getByRole('switch', { name: 'By invitation' });
    expect(invited).not.toBeChecked();
    expect(screen.getByRole('switch', { name: 'Lobby' })).toBeChecked();
    await userEvent.click(invited);
    expect(invited).toBeChecked();
    await userEvent.click(screen.getByRole('switch', { name: 'Locked' }));
    await userEvent.click(screen.getByRole('switch', { name: 'Keep my agent in the room' }));
    const sent = () => requests.filter(({ method }) => method === 'PUT').map(({ body }) => body);
    await waitFor(() =>
      expect(sent()).toEqual([{ access: 'invited' }, { locked: true }, { agentStays: true }]),
    );
  });

  it('shows who knocks, and lets them in or turns them away', async () => {
    const { requests } = await open('/live-call/support', {
      ...asOwner,
      'POST /api/livekit/rooms/support/participants/user-mallory/admit': { status: 204 },
      'DELETE /api/livekit/rooms/support/participants/user-mallory': { status: 204 },
    });
    await joinRoom();
    expect(await screen.findByText('Mallory')).toBeVisible();
    await userEvent.click(screen.getByRole('button', { name: 'Let in' }));
    await userEvent.click(screen.getByRole('button', { name: 'Turn away' }));
    await waitFor(() =>
      expect(requests.filter(({ path }) => path.endsWith('admit') || path.endsWith('mallory'))).toMatchObject(
        [{ method: 'POST' }, { method: 'DELETE' }],
      ),
    );
  });

  it('mutes and removes somebody else, after asking', async () => {
    const path = '/api/livekit/rooms/support/participants/user-grace';
    const { requests } = await open('/live-call/support', {
      ...asOwner,
      [`POST ${path}/mute`]: { status: 204 },
      [`DELETE ${path}`]: { status: 204 },
    });
    await joinRoom();
    await screen.findByRole('button', { name: 'Your room' });
    act(() => room().comes(aParticipant({ identity: 'user-grace', name: 'Grace Hopper' })));
    await userEvent.click(screen.getByRole('button', { name: 'Options for Grace Hopper' }));
    await userEvent.click(screen.getByRole('menuitem', { name: 'Remove' }));
    expect(requests.some(({ method }) => method === 'DELETE')).toBe(false);
    await userEvent.click(screen.getByRole('button', { name: 'Remove' }));
    await waitFor(() => expect(requests.some(({ method }) => method === 'DELETE')).toBe(true));
  });

  it('copies a link with a secret', async () => {
    const url = 'https://care.example.com/live-call/support#invite=secret';
    await open('/live-call/support', {
      ...asOwner,
      'POST /api/livekit/rooms/support/invites': {
        status: 201,
        body: { invite: 'secret', url, expiresAt: '2030-01-01T00:00:00.000Z' },
      },
    });
    const user = userEvent.setup();
    await joinRoom();
    await user.click(await screen.findByRole('button', { name: 'Copy invitation link' }));
    await waitFor(async () => expect(await navigator.clipboard.readText()).toBe(url));
  });

  it('is nobody else’s to change', async () => {
    const { requests } = await open('/live-call/support', {});
    await joinRoom();
    await screen.findByRole('region', { name: 'Participants' });
    act(() => room().comes(aParticipant({ identity: 'user-grace', name: 'Grace Hopper' })));
    expect(screen.queryByRole('button', { name: 'Your room' })).toBeNull();
    expect(screen.queryByRole('button', { name: 'Options for Grace Hopper' })).toBeNull();
    expect(requests.some(({ path }) => path.startsWith('/api/livekit/rooms/'))).toBe(false);
  });
});

describe('the door of somebody else’s room', () => {
  it('opens with the secret of the link one came by, and for that room alone', async () => {
    const { requests } = await open('/live-call/support#invite=secret');
    await joinRoom();
    await screen.findByText('Connected to room:', { exact: false });
    const sent = requests.filter(({ method }) => method === 'POST').map(({ body }) => body);
    expect(sent).toMatchObject([{ invite: 'secret' }, { invite: 'secret' }]);
    await userEvent.click(screen.getByRole('button', { name: 'Hang up' }));
    await userEvent.type(screen.getByLabelText('Room Name'), 'sales');
    await joinRoom();
    const joins = () => requests.filter(({ path }) => path.endsWith('/join-room'));
    await waitFor(() => expect(joins()).toHaveLength(2));
    expect(joins().map(({ body }) => body)).toMatchObject([{ invite: 'secret' }, {}]);
    expect(joins()[1]?.body).not.toHaveProperty('invite');
  });

  it('says why it is shut', async () => {
    const sentence = 'This room is by invitation. Ask its owner for the link.';
    await open('/live-call/support', {
      'POST /api/livekit/create-room': refusal(403, sentence, 'forbidden'),
    });
    await joinRoom();
    expect(await screen.findByRole('alert')).toHaveTextContent(sentence);
  });

  it('lets one wait in the lobby, and give up', async () => {
    const sentence = 'The owner of this room has been asked to let you in. Please wait.';
    await open('/live-call/support', {
      'POST /api/livekit/create-room': refusal(403, sentence, 'lobby'),
    });
    await joinRoom();
    expect(await screen.findByText(sentence)).toBeVisible();
    expect(screen.getByLabelText('Room Name')).toBeDisabled();
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await waitFor(() => expect(screen.getByRole('button', { name: 'Join Room' })).toBeEnabled());
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('opens by itself once the owner lets one in', async () => {
    let asked = 0;
    await open('/live-call/support', {
      'POST /api/livekit/create-room': () =>
        ++asked === 1 ? refusal(403, 'Please wait.', 'lobby') : answers['POST /api/livekit/create-room'],
    });
    vi.useFakeTimers({ shouldAdvanceTime: true, advanceTimeDelta: 200 });
    try {
      await userEvent
        .setup({ advanceTimers: vi.advanceTimersByTime })
        .click(screen.getByRole('button', { name: 'Join Room' }));
      await screen.findByText('Please wait.');
      await vi.advanceTimersByTimeAsync(3_000);
    } finally {
      vi.useRealTimers();
    }
    expect(await screen.findByText('Connected to room:', { exact: false })).toBeVisible();
  });
});
