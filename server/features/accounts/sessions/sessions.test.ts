import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { conversations, messages, sessions } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { type SignedIn, signedInSchema } from '#shared/accounts';
import { aConversation, aMessage, aPassword } from '../../../../tests/factories.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';
import { aRecordingForm } from '../../../../tests/support/uploads.ts';

const rooms = createFakeRooms();
const removed: string[] = [];
rooms.removeParticipant = async (room, identity) => void removed.push(`${identity} from ${room}`);

let app: TestApp;
let url: string;
const sockets: Socket[] = [];
beforeAll(async () => {
  app = await openTestApp({ engines: { rooms } });
  url = await app.listen();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.database.empty();
  removed.length = 0;
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});

async function signIn(who: SignedIn, userAgent = 'Test/1.0', password = aPassword): Promise<string> {
  const response = await app.server.inject({
    method: 'POST',
    url: '/api/auth/login',
    headers: { 'user-agent': userAgent },
    body: { email: who.user.email, password },
  });
  return signedInSchema.parse(response.json()).token;
}

const list = async (token: string) => (await app.as(token, 'GET', '/api/auth/sessions')).json();
const isSignedIn = async (token: string) => (await app.as(token, 'GET', '/api/auth/me')).statusCode === 200;
const idOf = async (token: string): Promise<string> =>
  (await list(token)).find(({ current }: { current: boolean }) => current)._id;

async function connect(token: string): Promise<Socket> {
  const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false });
  sockets.push(socket);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('connect_error', reject);
  });
  return socket;
}

const join = (who: SignedIn, token: string, roomName: string) =>
  app.as(token, 'POST', '/api/livekit/join-room', {
    roomName,
    participantName: 'Ada',
    participantIdentity: who.user._id,
  });

/** Records an utterance. @returns requests its audio link with a session's token */
async function keepsRecording(who: SignedIn): Promise<(token: string) => Promise<string>> {
  const { db } = app.database;
  const conversation = aConversation(who.user._id);
  await db.insert(conversations).values(conversation);
  await db.insert(messages).values(aMessage(conversation.id, { content: 'Hello there' }));
  const form = await aRecordingForm('Hello there');
  await app.server.inject({
    method: 'POST',
    url: `/api/conversations/${conversation.id}/audio`,
    headers: { ...form.headers, authorization: `Bearer ${who.token}` },
    payload: form.body,
  });
  return async (token) =>
    (await app.as(token, 'GET', `/api/conversations/${conversation.id}`)).json().messages[0].audioUrl;
}

describe('GET /api/auth/sessions', () => {
  it('lists from where somebody is signed in, and says which one asks', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada, 'Phone/2.0');
    await app.signUp();
    const listed = await list(phone);
    expect(listed).toHaveLength(2);
    expect(listed).toContainEqual({
      _id: expect.any(String),
      createdAt: expect.any(String),
      lastUsedAt: expect.any(String),
      expiresAt: expect.any(String),
      current: true,
      userAgent: 'Phone/2.0',
      address: '127.0.0.1',
    });
    expect(listed.map(({ current }: { current: boolean }) => current).sort()).toEqual([false, true]);
    const [{ createdAt, expiresAt }] = listed;
    expect(Date.parse(expiresAt) - Date.parse(createdAt)).toBe(30 * 86_400_000);
    expect(JSON.stringify(listed)).not.toContain(phone);
  });
});

describe('DELETE /api/auth/sessions', () => {
  it('ends one, and no other', async () => {
    const ada = await app.signUp();
    const [phone, laptop] = [await signIn(ada), await signIn(ada)];
    const response = await app.as(laptop, 'DELETE', `/api/auth/sessions/${await idOf(phone)}`, {
      password: aPassword,
    });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect([await isSignedIn(phone), await isSignedIn(laptop)]).toEqual([false, true]);
  });

  it('ends all of them, and nobody else’s', async () => {
    const [ada, bob] = [await app.signUp(), await app.signUp()];
    const phone = await signIn(ada);
    expect((await app.as(phone, 'DELETE', '/api/auth/sessions', { password: aPassword })).statusCode).toBe(
      204,
    );
    expect([await isSignedIn(phone), await isSignedIn(ada.token), await isSignedIn(bob.token)]).toEqual([
      false,
      false,
      true,
    ]);
  });

  it('asks for the password where somebody did not just sign in', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    await app.database.db.update(sessions).set({ createdAt: new Date(Date.now() - 3_600_000) });
    const url = `/api/auth/sessions/${await idOf(phone)}`;
    expect((await app.as(ada.token, 'DELETE', url)).json()).toMatchObject({
      message: 'Enter your password to do this.',
    });
    expect(await isSignedIn(phone)).toBe(true);
    const fresh = await signIn(ada);
    expect((await app.as(fresh, 'DELETE', url)).statusCode).toBe(204);
    expect(await isSignedIn(phone)).toBe(false);
  });

  it('ends none with a wrong password', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    for (const [body, status] of [
      [{ password: 'wrong' }, 401],
      [{ password: '' }, 401],
    ] as const)
      for (const url of ['/api/auth/sessions', `/api/auth/sessions/${await idOf(phone)}`])
        expect((await app.as(ada.token, 'DELETE', url, body)).statusCode).toBe(status);
    expect([await isSignedIn(phone), await isSignedIn(ada.token)]).toEqual([true, true]);
  });

  it('knows nothing of other people’s sessions, nor of what is none', async () => {
    const [ada, bob] = [await app.signUp(), await app.signUp()];
    for (const id of [await idOf(bob.token), '018f0000-0000-7000-8000-000000000000', 'x', 'a%00b'])
      expect(
        (await app.as(ada.token, 'DELETE', `/api/auth/sessions/${id}`, { password: aPassword })).statusCode,
      ).toBe(404);
    expect(await isSignedIn(bob.token)).toBe(true);
  });
});

describe('a sign-in', () => {
  it('goes on in another session, and ends the one that it was asked in', async () => {
    const ada = await app.signUp();
    const other = await signIn(ada);
    const again = async (token: string) =>
      app.as(token, 'POST', '/api/auth/login', { email: ada.user.email, password: aPassword });
    const { token } = signedInSchema.parse((await again(ada.token)).json());
    expect([await isSignedIn(ada.token), await isSignedIn(token), await isSignedIn(other)]).toEqual([
      false,
      true,
      true,
    ]);
    for (const nothing of ['none', ada.token]) expect((await again(nothing)).statusCode).toBe(200);
  });
});

describe('PUT /api/auth/password', () => {
  const newPassword = 'another horse, another battery';
  const change = (token: string, body: object) => app.as(token, 'PUT', '/api/auth/password', body);

  it('takes the new password from then on, and ends every other session', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    const response = await change(phone, { currentPassword: aPassword, newPassword });
    expect([response.statusCode, response.body]).toEqual([204, '']);
    expect([await isSignedIn(phone), await isSignedIn(ada.token)]).toEqual([true, false]);
    expect(await isSignedIn(await signIn(ada, 'Test/1.0', newPassword))).toBe(true);
    const old = { email: ada.user.email, password: aPassword };
    const refused = await app.server.inject({ method: 'POST', url: '/api/auth/login', body: old });
    expect(refused.statusCode).toBe(401);
  });

  it.each([
    [
      401,
      { currentPassword: 'not this one', newPassword },
      'currentPassword',
      'This is not your current password.',
    ],
    [
      400,
      { currentPassword: aPassword, newPassword: 'short' },
      'newPassword',
      'Use a password of at least 8 characters.',
    ],
    [
      400,
      { currentPassword: aPassword, newPassword: 'password1' },
      'newPassword',
      'This password is one of the most common ones. Choose another.',
    ],
    [400, { currentPassword: '', newPassword }, 'currentPassword', 'Enter your password.'],
    [400, { newPassword }, 'currentPassword', 'The field "currentPassword" is missing.'],
  ])('answers %i to %j and changes nothing', async (status, body, field, sentence) => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    const response = await change(phone, body);
    expect([response.statusCode, response.json().fields]).toEqual([status, { [field]: sentence }]);
    expect(await isSignedIn(ada.token)).toBe(true);
    expect(await isSignedIn(await signIn(ada))).toBe(true);
  });
});

describe('a session that ends', () => {
  const ends: [string, (token: string, other: string) => Promise<unknown>][] = [
    ['by signing out', (token) => app.as(token, 'POST', '/api/auth/logout')],
    [
      'from elsewhere',
      async (token, other) =>
        app.as(other, 'DELETE', `/api/auth/sessions/${await idOf(token)}`, { password: aPassword }),
    ],
    [
      'with the password',
      (_token, other) =>
        app.as(other, 'PUT', '/api/auth/password', {
          currentPassword: aPassword,
          newPassword: 'another horse, another battery',
        }),
    ],
  ];

  it.each(ends)('%s takes its sockets along, and no others', async (_how, end) => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    const [lost, kept] = [await connect(phone), await connect(ada.token)];
    const gone = new Promise((resolve) => lost.once('disconnect', resolve));
    await end(phone, ada.token);
    await gone;
    expect(kept.connected).toBe(true);
  });

  it.each(ends)('%s puts its person out of live rooms', async (_how, end) => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    expect((await join(ada, phone, 'sales')).statusCode).toBe(200);
    expect((await join(ada, ada.token, 'support')).statusCode).toBe(200);
    await end(phone, ada.token);
    expect(removed).toEqual([`${ada.user._id} from sales`]);
  });

  it('leaves a room alone that its person has entered again in another session', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    await join(ada, phone, 'sales');
    await join(ada, ada.token, 'sales');
    await app.as(phone, 'POST', '/api/auth/logout');
    expect(removed).toEqual([]);
  });

  it('does not come back into a room with the key it was given, until it is let in anew', async () => {
    const ada = await app.signUp();
    const phone = await signIn(ada);
    await join(ada, phone, 'sales');
    await app.as(phone, 'POST', '/api/auth/logout');
    removed.length = 0;
    const arrives = () =>
      rooms.tell({
        type: 'participant_joined',
        room: 'sales',
        roomSid: 'RM_1',
        participant: {
          sid: 'PA_1',
          identity: ada.user._id,
          name: 'Ada',
          kind: 'standard',
          metadata: '{"role":"customer"}',
          joinedAt: new Date(),
          state: 'joining',
          permissions: { canPublish: true, canSubscribe: true, canPublishData: false, hidden: false },
          tracks: [],
        },
      });
    arrives();
    await expect.poll(() => removed).toEqual([`${ada.user._id} from sales`]);
    await join(ada, ada.token, 'sales');
    removed.length = 0;
    arrives();
    expect(removed).toEqual([]);
  });

  it.each(ends)('%s ends the links to recordings; other sessions are given new ones', async (_how, end) => {
    const [ada, bob] = [await app.signUp(), await app.signUp()];
    const phone = await signIn(ada);
    const linkOf = await keepsRecording(ada);
    const bobs = await (await keepsRecording(bob))(bob.token);
    const link = await linkOf(phone);
    expect((await app.server.inject(link)).statusCode).toBe(200);
    await end(phone, ada.token);
    expect((await app.server.inject(link)).statusCode).toBe(403);
    expect((await app.server.inject(await linkOf(ada.token))).statusCode).toBe(200);
    expect((await app.server.inject(bobs)).statusCode).toBe(200);
  });
});
