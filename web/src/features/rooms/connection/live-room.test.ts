import { ConnectionState, DisconnectReason, ParticipantKind, RoomEvent } from 'livekit-client';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aParticipant, FakeRoom } from './fake-room.ts';
import { LiveRoom, USUAL_STUN_SERVERS } from './live-room.ts';

const door = {
  ...{ room: 'support', wsUrl: 'ws://care.example.com', token: 'key', isOwner: false },
  stunServers: USUAL_STUN_SERVERS,
};
const options = { microphoneId: null, muted: false };

beforeEach(() => {
  FakeRoom.reset();
  vi.useFakeTimers();
});
afterEach(() => vi.useRealTimers());

const opened = () => {
  const room = FakeRoom.opened.at(-1);
  if (!room) throw new Error('No room was opened.');
  return room;
};

async function inside() {
  const live = new LiveRoom(FakeRoom.create);
  await live.join(door, options);
  return { live, fake: opened() };
}

it('goes in with the microphone on, past firewalls with two STUN servers', async () => {
  const { live, fake } = await inside();
  expect(live.getState()).toMatchObject({ connection: 'connected', room: 'support', muted: false });
  expect(fake.connected).toMatchObject({
    url: 'ws://care.example.com',
    token: 'key',
    options: {
      autoSubscribe: true,
      rtcConfig: { iceServers: USUAL_STUN_SERVERS.map((urls) => ({ urls })) },
    },
  });
  expect(live.getState().participants).toMatchObject([{ isLocal: true, isMuted: false }]);
});

it('asks no STUN server where the server says so', async () => {
  await new LiveRoom(FakeRoom.create).join({ ...door, stunServers: [] }, options);
  expect(opened().connected?.options).toMatchObject({ rtcConfig: { iceServers: [] } });
});

it('is outside again when the room cannot be reached', async () => {
  FakeRoom.connecting = () => Promise.reject(new Error('refused'));
  const live = new LiveRoom(FakeRoom.create);
  await expect(live.join(door, options)).rejects.toThrow('refused');
  expect(live.getState()).toMatchObject({ connection: 'disconnected', room: null });
});

it('lets go of a room that opens after one has left', async () => {
  let open = () => {};
  FakeRoom.connecting = () => new Promise((resolve) => (open = resolve));
  const live = new LiveRoom(FakeRoom.create);
  const joining = live.join(door, options);
  live.leave();
  open();
  await joining;
  expect(live.getState().connection).toBe('disconnected');
  expect(opened().disconnects).toBeGreaterThan(0);
});

it('stays to listen when the microphone is refused, and says so', async () => {
  vi.spyOn(console, 'warn').mockReturnValue();
  FakeRoom.microphone = () => Promise.reject(new DOMException('', 'NotAllowedError'));
  const { live } = await inside();
  expect(live.getState()).toMatchObject({ connection: 'connected', muted: true, microphoneDenied: true });
  FakeRoom.microphone = async () => {};
  await live.setMuted(false);
  expect(live.getState()).toMatchObject({ muted: false, microphoneDenied: false });
});

it('shows who comes, what the agent does, and who goes', async () => {
  const { live, fake } = await inside();
  fake.comes(
    aParticipant({
      identity: 'agent-1',
      name: 'Sigma',
      kind: ParticipantKind.AGENT,
      attributes: { 'lk.agent.state': 'thinking' },
    }),
  );
  expect(live.getState().participants[1]).toMatchObject({ name: 'Sigma', agent: { state: 'thinking' } });
  fake.goes('agent-1');
  expect(live.getState().participants).toHaveLength(1);
});

it('tells reconnecting from connected', async () => {
  const { live, fake } = await inside();
  fake.becomes(ConnectionState.SignalReconnecting);
  expect(live.getState().connection).toBe('reconnecting');
  fake.becomes(ConnectionState.Connected);
  expect(live.getState().connection).toBe('connected');
});

it('looks again who is there some time after it came back', async () => {
  const { live, fake } = await inside();
  fake.remoteParticipants.set('grace', aParticipant({ identity: 'grace' }));
  fake.tell(RoomEvent.Reconnected);
  vi.advanceTimersByTime(2_500);
  expect(live.getState().participants.map(({ identity }) => identity)).toContain('grace');
});

describe('the check every two seconds', () => {
  it('gives up a room whose transports do not work three times in a row', async () => {
    const { live, fake } = await inside();
    fake.transportsWork = false;
    vi.advanceTimersByTime(5_900);
    expect(live.getState().connection).toBe('connected');
    vi.advanceTimersByTime(200);
    expect(live.getState()).toMatchObject({ connection: 'disconnected', room: null });
    expect(live.getState().lost).toContain('lost');
  });

  it('starts counting again when they worked in between', async () => {
    const { live, fake } = await inside();
    fake.transportsWork = false;
    vi.advanceTimersByTime(4_100);
    fake.transportsWork = true;
    vi.advanceTimersByTime(2_000);
    fake.transportsWork = false;
    vi.advanceTimersByTime(4_100);
    expect(live.getState().connection).toBe('connected');
  });

  it('leaves a room that is reconnecting to do so', async () => {
    const { live, fake } = await inside();
    fake.transportsWork = false;
    fake.becomes(ConnectionState.Reconnecting);
    vi.advanceTimersByTime(20_000);
    expect(live.getState().connection).toBe('reconnecting');
  });
});

it.each([
  [DisconnectReason.DUPLICATE_IDENTITY, /another tab/],
  [DisconnectReason.PARTICIPANT_REMOVED, /removed/],
  [DisconnectReason.ROOM_DELETED, /ended/],
  [DisconnectReason.ROOM_CLOSED, /closed/],
  [DisconnectReason.SERVER_SHUTDOWN, /restarting/],
  [undefined, /did not come back/],
])('says in words why one is out (reason %s)', async (reason, words) => {
  const { live, fake } = await inside();
  fake.ends(reason);
  expect(live.getState().room).toBeNull();
  expect(live.getState().lost).toMatch(words);
});

it.each([
  ['user-ada', 'c-1'],
  // A call in which only the agent spoke has no record.
  ['agent-1', null],
])(
  'hangs up without a complaint, and remembers where the record is (%s spoke)',
  async (speaker, conversationId) => {
    const { live, fake } = await inside();
    const payload = new TextEncoder().encode('{"conversationId":"c-1"}');
    fake.tell(RoomEvent.DataReceived, payload, undefined, undefined, 'sigma.conversation');
    fake.comes(aParticipant({ identity: 'agent-1', name: 'Sigma', kind: ParticipantKind.AGENT }));
    const segment = { 'lk.segment_id': 's1', 'lk.transcription_final': 'true' };
    fake.caption(speaker, segment, 'Where is my order?');
    await expect.poll(() => live.getState().captions).toHaveLength(1);
    live.leave();
    expect(live.getState()).toMatchObject({ connection: 'disconnected', lost: null, conversationId });
    expect(fake.disconnects).toBe(1);
  },
);

describe('captions', () => {
  const segment = (id: string, final: boolean) => ({
    'lk.segment_id': id,
    'lk.transcription_final': String(final),
  });

  it('grow while somebody speaks, and are replaced by what is final', async () => {
    const { live, fake } = await inside();
    fake.caption('user-ada', segment('s1', false), 'Where is');
    await expect.poll(() => live.getState().captions).toMatchObject([{ text: 'Where is' }]);
    fake.caption('user-ada', segment('s1', true), 'Where is my order?');
    await expect
      .poll(() => live.getState().captions)
      .toMatchObject([{ text: 'Where is my order?', isFinal: true, isLocal: true }]);
  });

  it('of the agent come piece by piece', async () => {
    const { live, fake } = await inside();
    fake.comes(aParticipant({ identity: 'agent-1', name: 'Sigma', kind: ParticipantKind.AGENT }));
    fake.caption('agent-1', segment('a1', false), 'It is ', 'on its way.');
    await expect
      .poll(() => live.getState().captions)
      .toMatchObject([{ speaker: 'Sigma', isAgent: true, text: 'It is on its way.', isFinal: true }]);
  });

  it('belong to whose track was written down, whoever sends them', async () => {
    const { live, fake } = await inside();
    fake.comes(aParticipant({ identity: 'agent-1', name: 'Sigma', kind: ParticipantKind.AGENT }));
    fake.localParticipant.trackPublications.set('TR_ada', {});
    const attributes = { ...segment('s1', true), 'lk.transcribed_track_id': 'TR_ada' };
    fake.caption('agent-1', attributes, 'Where is my order?');
    await expect
      .poll(() => live.getState().captions)
      .toMatchObject([{ isLocal: true, isAgent: false, isFinal: true }]);
  });

  it('of one participant that another one wrote are not shown', async () => {
    const { live, fake } = await inside();
    const agent = aParticipant({ identity: 'agent-1', name: 'Sigma', kind: ParticipantKind.AGENT });
    agent.trackPublications.set('TR_agent', {});
    fake.comes(agent);
    fake.comes(aParticipant({ identity: 'mallory', name: 'Mallory' }));
    const attributes = { ...segment('s1', true), 'lk.transcribed_track_id': 'TR_agent' };
    fake.caption('mallory', attributes, 'Please read me your card number.');
    fake.caption('agent-1', segment('a1', true), 'It is on its way.');
    await expect
      .poll(() => live.getState().captions)
      .toMatchObject([{ speaker: 'Sigma', text: 'It is on its way.' }]);
  });

  it('are taken back when it was a noise', async () => {
    const { live, fake } = await inside();
    fake.caption('user-ada', segment('s1', false), 'Hm');
    await expect.poll(() => live.getState().captions).toHaveLength(1);
    fake.caption('user-ada', segment('s1', true));
    await expect.poll(() => live.getState().captions).toHaveLength(0);
  });
});
