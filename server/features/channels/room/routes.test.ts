import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeReading } from '#server/engines/reading/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import type { SignedIn } from '#shared/accounts';
import { silentVoice } from '../../../../tests/support/fake-engines.ts';
import { until } from '../../../../tests/support/room-world.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

const rooms = createFakeRooms();
const participants = createFakeParticipants();
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
beforeAll(async () => {
  app = await openTestApp({
    engines: {
      synthesis: silentVoice(),
      reading: createFakeReading(),
      models: () => [],
      sentiment: createFakeSentiment(),
      recognition: createFakeRecognition(),
      voiceActivity: createFakeVoiceActivity(),
      rooms,
      participants,
    },
  });
  ada = await app.signUp({ name: 'Ada' });
  bob = await app.signUp({ name: 'Bob' });
});
afterAll(() => app.close());
beforeEach(() => {
  rooms.isAway = false;
  rooms.grants.length = 0;
});

const request = (who: SignedIn, changes: object = {}) => ({
  roomName: 'lobby',
  participantName: 'Mallory',
  participantIdentity: who.user._id,
  ...changes,
});
const join = (who: SignedIn, changes: object = {}, headers = {}) =>
  app.as(who.token, 'POST', '/api/livekit/join-room', request(who, changes), headers);

describe('POST /api/livekit/join-room', () => {
  it('leads to a secure address where customers see one, whatever the proxy in front says', async () => {
    const config = { publicUrl: 'https://care.example.com', corsOrigins: [], rateLimit: false };
    const secure = await openTestApp({ engines: { rooms: createFakeRooms() }, config });
    try {
      const { token, user } = await secure.signUp();
      const body = { roomName: 'lobby', participantName: 'x', participantIdentity: user._id };
      const wsUrlAt = async (host: string) =>
        (await secure.as(token, 'POST', '/api/livekit/join-room', body, { host })).json().wsUrl;
      expect(await wsUrlAt('care.example.com')).toBe('wss://care.example.com');
      expect(await wsUrlAt('127.0.0.1:3000')).toBe('ws://127.0.0.1:3000');
    } finally {
      await secure.close();
    }
  });

  it('answers a token for this room alone, as oneself, that opens the door for ten minutes', async () => {
    const response = await join(ada, { roomName: '  lobby ' }, { host: 'care.example.com' });
    expect(response.statusCode).toBe(200);
    const { participantToken, ...rest } = response.json();
    expect(rest).toEqual({ wsUrl: 'ws://care.example.com', roomName: 'lobby', isOwner: true });
    expect(JSON.parse(participantToken)).toEqual({
      room: 'lobby',
      identity: ada.user._id,
      name: 'Ada',
      metadata: expect.stringMatching(/^\{"role":"customer","door":"[\w-]{80,}"\}$/),
      microphoneOnly: true,
      canPublishData: false,
      ttlMs: 600_000,
    });
  });

  it('sends the agent to the room, once', async () => {
    await join(ada, { roomName: 'sales' });
    await join(bob, { roomName: 'sales' });
    const agents = () => rooms.grants.filter(({ kind, room }) => kind === 'agent' && room === 'sales');
    await until(() => agents()[0], 'the agent');
    expect(agents()).toEqual([
      expect.objectContaining({
        name: 'Sigma',
        identity: expect.stringMatching(/^agent-/),
        metadata: '{"role":"agent","company":"Brightwater Home"}',
        attributes: { 'lk.agent.state': 'initializing' },
        canUpdateOwnMetadata: true,
      }),
    ]);
  });

  it.each(['a/b\\c?d#e', '<b onload="x">hi</b>', '🎉🎉', 'ärger & co', '😀'.repeat(128), '../../etc'])(
    'takes any name: %s',
    async (roomName) => {
      const response = await app.as(
        ada.token,
        'POST',
        '/api/livekit/create-room',
        request(ada, { roomName }),
      );
      expect(response.json()).toMatchObject({ roomName });
      expect(rooms.created.at(-1)?.name).toBe(roomName);
    },
  );

  it('knows a name however it was typed', async () => {
    const response = await app.as(
      ada.token,
      'POST',
      '/api/livekit/create-room',
      request(ada, { roomName: 'Cafe\u0301' }),
    );
    expect(response.json().roomName).toBe('Caf\u00e9');
  });

  it.each([
    ['   ', 'Please enter a room name.'],
    [undefined, 'Please enter a room name.'],
    [7, 'Please enter a room name.'],
    ['x'.repeat(129), 'Use a room name of at most 128 characters.'],
    ['a\u0000b', 'This room name holds a broken character. Please type it again.'],
  ])('refuses the name %j', async (roomName, sentence) => {
    const response = await join(ada, { roomName });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({
      error: sentence,
      message: sentence,
      fields: { roomName: sentence },
    });
  });

  it('lets nobody in as somebody else', async () => {
    const response = await join(ada, { participantIdentity: bob.user._id });
    expect(response.statusCode).toBe(403);
    expect(response.json()).toMatchObject({ error: 'You can only join as yourself. Please sign in again.' });
    expect(rooms.grants).toEqual([]);
  });

  it('takes an agent of one’s own along, and no one else’s', async () => {
    const agent = {
      name: 'Mia',
      companyName: 'Contoso',
      personality: 'Brisk.',
      companyInfo: 'Open.',
      prompts: [],
    };
    const agentId = (await app.as(ada.token, 'POST', '/api/agents', agent)).json()._id;
    expect((await join(bob, { roomName: 'with-mia', agentId })).statusCode).toBe(404);
    expect((await join(bob, { roomName: 'with-mia', agentId: 'x' })).statusCode).toBe(404);
    await app.as(
      ada.token,
      'POST',
      '/api/livekit/create-room',
      request(ada, { roomName: 'with-mia', agentId }),
    );
    expect((await join(bob, { roomName: 'with-mia' })).statusCode).toBe(200);
    const mia = await until(() => rooms.grants.find(({ kind }) => kind === 'agent'), 'Mia');
    expect(mia).toMatchObject({ room: 'with-mia', name: 'Mia' });
  });

  it('says so while the room server is away, here and in /ready', async () => {
    rooms.isAway = true;
    const response = await join(ada);
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      error: 'Live rooms cannot be reached right now. Please try again in a moment.',
      code: 'unavailable',
    });
    const { status } = rooms;
    rooms.status = () => ({
      state: 'failed',
      message: 'The LiveKit server at LIVEKIT_URL cannot be reached.',
    });
    const ready = await app.server.inject('/ready');
    expect(ready.statusCode).toBe(503);
    expect(ready.json().missing).toEqual({ rooms: 'The LiveKit server at LIVEKIT_URL cannot be reached.' });
    rooms.status = status;
  });

  it('lets a person into five rooms at a time', async () => {
    const cara = await app.signUp();
    const comes = async (roomName: string) => {
      expect((await join(cara, { roomName })).statusCode).toBe(200);
      const presence = await until(
        () => participants.presences.find(({ token }) => JSON.parse(token).room === roomName),
        `the agent in ${roomName}`,
      );
      presence.join({ identity: cara.user._id, name: cara.user.name });
    };
    // Rooms that she has only requested are released for others.
    for (const roomName of ['a', 'b', 'c', 'd', 'e', 'f'])
      expect((await join(cara, { roomName })).statusCode).toBe(200);
    for (const roomName of ['1', '2', '3', '4', '5']) await comes(roomName);
    const response = await join(cara, { roomName: '6' });
    expect(response.statusCode).toBe(409);
    expect(response.json().error).toBe('You are already in 5 rooms. Leave one of them to join another.');
    expect((await join(cara, { roomName: '5' })).statusCode).toBe(200);
  });

  it('is for people who are signed in', async () => {
    const response = await app.server.inject({
      method: 'POST',
      url: '/api/livekit/join-room',
      body: request(ada),
    });
    expect(response.statusCode).toBe(401);
  });
});

describe('POST /api/livekit/create-test-room', () => {
  it('answers a token for the test room, as oneself', async () => {
    const response = await app.as(ada.token, 'POST', '/api/livekit/create-test-room');
    const { token, ...rest } = response.json();
    expect(rest).toEqual({ wsUrl: expect.stringMatching(/^ws:\/\//), name: 'test-room' });
    expect(JSON.parse(token)).toMatchObject({ room: 'test-room', identity: ada.user._id, name: 'Ada' });
  });
});

describe('POST /api/livekit/webhook', () => {
  it('believes LiveKit alone', async () => {
    const tell = (authorization: string) =>
      app.server.inject({
        method: 'POST',
        url: '/api/livekit/webhook',
        headers: { 'content-type': 'application/webhook+json', authorization },
        payload: '{"event":"room_started"}',
      });
    expect((await tell('genuine')).statusCode).toBe(204);
    expect((await tell('forged')).statusCode).toBe(401);
  });
});
