import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { roomInvites, rooms as roomsTable } from '#server/database/schema';
import type { RoomGrant } from '#server/engines/rooms/contract';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SignedIn } from '#shared/accounts';
import { roomInviteSchema } from '#shared/rooms';
import { aRoomParticipant } from '../../../../../tests/factories.ts';
import { until } from '../../../../../tests/support/room-world.ts';
import { openTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { DoorsRepository } from './repository.ts';
import { RoomDoors } from './room-doors.ts';

const BY_INVITATION = 'This room is by invitation. Ask its owner for the link.';
const rooms = createFakeRooms();
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let roomName: string;
let made = 0;

beforeAll(async () => {
  app = await openTestApp({ engines: { rooms } });
});
afterAll(() => app.close());
beforeEach(async () => {
  roomName = `the room / ${made++}`;
  ada = await app.signUp({ name: 'Ada' });
  bob = await app.signUp({ name: 'Bob' });
  eve = await app.signUp({ name: 'Eve' });
});

const ask = (path: 'create-room' | 'join-room', who: SignedIn, changes: object = {}) =>
  app.as(who.token, 'POST', `/api/livekit/${path}`, {
    roomName,
    participantName: 'whoever',
    participantIdentity: who.user._id,
    ...changes,
  });
const join = async (who: SignedIn, changes: object = {}) => {
  const response = await ask('join-room', who, changes);
  return response.statusCode === 200 ? 'in' : `${response.statusCode} ${response.json().error}`;
};
const room = (path = '') => `/api/livekit/rooms/${encodeURIComponent(roomName)}${path}`;
const change = (who: SignedIn, body: object) => app.as(who.token, 'PUT', room(), body);
const invite = async (who: SignedIn = ada) =>
  roomInviteSchema.parse((await app.as(who.token, 'POST', room('/invites'))).json());
const remove = (who: SignedIn, whom: SignedIn) =>
  app.as(who.token, 'DELETE', room(`/participants/${whom.user._id}`));
const isThere = (...people: SignedIn[]) =>
  rooms.people.set(
    roomName,
    people.map(({ user }) => aRoomParticipant({ identity: user._id, name: user.name })),
  );
const there = () => (rooms.people.get(roomName) ?? []).map(({ name }) => name);

describe('a room with an owner', () => {
  it('is its maker’s, and open to every account until they close it', async () => {
    expect(await join(ada)).toBe('in');
    expect(await join(bob)).toBe('in');
    const shown = await app.as(ada.token, 'GET', room());
    expect(shown.json()).toEqual({
      roomName,
      access: 'members',
      locked: false,
      lobby: false,
      agentStays: false,
      waiting: [],
    });
    for (const response of [
      await app.as(bob.token, 'GET', room()),
      await change(bob, { access: 'invited' }),
      await app.as(bob.token, 'POST', room('/invites')),
      await app.as(bob.token, 'POST', room(`/participants/${ada.user._id}/mute`)),
      await app.as(bob.token, 'POST', room(`/participants/${ada.user._id}/admit`)),
      await remove(bob, ada),
    ])
      expect([response.statusCode, response.json().error]).toEqual([
        403,
        'Only the owner of this room may do that.',
      ]);
    roomName = 'nobody made this';
    expect((await change(ada, { locked: true })).statusCode).toBe(404);
  });

  it('leaves the test room to everybody', async () => {
    roomName = 'test-room';
    expect([await join(ada), await join(bob)]).toEqual(['in', 'in']);
    expect((await change(ada, { locked: true })).statusCode).toBe(404);
  });

  it('takes whoever has a link once it is by invitation, and nobody else', async () => {
    await join(ada);
    expect((await change(ada, { access: 'invited' })).json()).toMatchObject({ access: 'invited' });
    expect(await join(bob)).toBe(`403 ${BY_INVITATION}`);
    expect((await ask('create-room', bob)).statusCode).toBe(403);
    const link = await invite();
    expect(link.url).toBe(
      `http://localhost:80/live-call/${encodeURIComponent(roomName)}#invite=${link.invite}`,
    );
    expect(await join(bob, { invite: link.invite })).toBe('in');
    expect(await join(bob)).toBe(`403 ${BY_INVITATION}`);
    expect(await join(eve, { invite: 'guessed' })).toBe(`403 ${BY_INVITATION}`);
    expect(await join(ada)).toBe('in');
    const [first] = [roomName];
    roomName = `${first} elsewhere`;
    await join(ada);
    await change(ada, { access: 'invited' });
    expect(await join(bob, { invite: link.invite })).toBe(`403 ${BY_INVITATION}`);
  });

  it('keeps no secret of a link, and none that is over', async () => {
    await join(ada);
    await change(ada, { access: 'invited' });
    const { invite: secret, expiresAt } = await invite();
    expect(Date.parse(expiresAt)).toBeGreaterThan(Date.now() + 6 * 24 * 3_600_000);
    const { db } = app.database;
    const stored = await db.select().from(roomInvites);
    expect(JSON.stringify(stored)).not.toContain(secret);
    await db.update(roomInvites).set({ expiresAt: new Date(Date.now() - 1) });
    expect(await join(bob, { invite: secret })).toBe(`403 ${BY_INVITATION}`);
  });

  it('lets nobody else in while it is locked, with a link or without', async () => {
    await join(ada);
    const link = await invite();
    await change(ada, { locked: true });
    const refusal = '403 This room is locked. Ask its owner to open it.';
    expect([await join(bob), await join(bob, { invite: link.invite }), await join(ada)]).toEqual([
      refusal,
      refusal,
      'in',
    ]);
    await change(ada, { locked: false });
    expect(await join(bob)).toBe('in');
  });

  it('has a lobby: who knocks waits until the owner lets them in, or does not', async () => {
    await join(ada);
    await change(ada, { lobby: true });
    const knock = await ask('join-room', bob);
    expect([knock.statusCode, knock.json()]).toMatchObject([
      403,
      { code: 'lobby', error: 'The owner of this room has been asked to let you in. Please wait.' },
    ]);
    await join(eve);
    const waiting = async () => (await app.as(ada.token, 'GET', room())).json().waiting;
    expect(await waiting()).toEqual([
      { identity: bob.user._id, name: 'Bob' },
      { identity: eve.user._id, name: 'Eve' },
    ]);
    const admitted = await app.as(ada.token, 'POST', room(`/participants/${bob.user._id}/admit`));
    expect(admitted.statusCode).toBe(204);
    expect((await remove(ada, eve)).statusCode).toBe(204);
    expect(await waiting()).toEqual([]);
    expect(await join(bob)).toBe('in');
    expect(await join(eve)).toBe('403 You were removed from this room. Ask its owner for a new link.');
    const unknown = await app.as(ada.token, 'POST', room(`/participants/${ada.user._id}/admit`));
    expect(unknown.statusCode).toBe(404);
  });

  it('puts somebody out, whom only a new link lets in again', async () => {
    await join(ada);
    const before = await invite();
    expect(await join(bob, { invite: before.invite })).toBe('in');
    isThere(ada, bob);
    expect((await remove(ada, bob)).statusCode).toBe(204);
    expect(there()).toEqual(['Ada']);
    const refusal = '403 You were removed from this room. Ask its owner for a new link.';
    expect([await join(bob), await join(bob, { invite: before.invite })]).toEqual([refusal, refusal]);
    const { invite: secret } = await invite();
    expect(await join(bob, { invite: secret })).toBe('in');
    expect(await join(bob)).toBe('in');
    expect((await remove(ada, ada)).statusCode).toBe(409);
    expect((await remove(ada, eve)).statusCode).toBe(404);
  });

  it('turns somebody away again who comes in with a token from before', async () => {
    await join(ada);
    await join(bob);
    isThere(ada, bob);
    await remove(ada, bob);
    isThere(ada, bob);
    const participant = aRoomParticipant({ identity: bob.user._id, name: 'Bob' });
    rooms.tell({ type: 'participant_joined', room: roomName, roomSid: 'RM_1', participant });
    await until(() => (there().includes('Bob') ? undefined : true), 'Bob to be out');
  });

  it('mutes a microphone', async () => {
    await join(ada);
    isThere(ada, bob);
    const mute = (identity: string) => app.as(ada.token, 'POST', room(`/participants/${identity}/mute`));
    expect((await mute(bob.user._id)).statusCode).toBe(204);
    expect(rooms.people.get(roomName)?.map(({ tracks }) => tracks[0]?.muted)).toEqual([false, true]);
    expect((await mute(eve.user._id)).statusCode).toBe(404);
  });

  it('has no agent but its owner’s, or the demo agent', async () => {
    await join(ada);
    const draft = { name: 'Mallory', companyName: 'Contoso', personality: 'Brisk.', companyInfo: 'Open.' };
    const agentId = (await app.as(bob.token, 'POST', '/api/agents', { ...draft, prompts: [] })).json()._id;
    expect((await ask('create-room', bob, { agentId })).statusCode).toBe(200);
    await join(eve);
    const agents = () => rooms.grants.filter(({ kind, room: of }) => kind === 'agent' && of === roomName);
    expect((await until(() => agents()[0], 'an agent')).name).toBe('Sigma');
  });

  it('is anybody’s again when its owner has not come for a month', async () => {
    await join(ada);
    await app.database.db.update(roomsTable).set({ usedAt: new Date(Date.now() - 31 * 24 * 3_600_000) });
    const repository = new DoorsRepository(app.database.db);
    await new RoomDoors({ rooms, repository, access: 'members', sharedState: null, onFailure() {} }).sweep();
    expect(await join(bob)).toBe('in');
    expect((await change(bob, { locked: true })).statusCode).toBe(200);
  });
});

describe('a key from before a room was closed', () => {
  /** Requests admission. @returns the permissions of the token */
  const keyOf = async (who: SignedIn, changes: object = {}): Promise<RoomGrant> =>
    JSON.parse((await ask('join-room', who, changes)).json().participantToken);
  /** Whether a key admits, as an embedded room server asks. */
  const opens = ({ room: of, identity, metadata = '' }: RoomGrant) =>
    rooms.mayEnter?.(of, { identity, metadata });

  it.each([
    ['locked', { locked: true }, { locked: false }],
    ['by invitation', { access: 'invited' }, { access: 'members' }],
    ['with a lobby', { lobby: true }, { lobby: false }],
  ])('opens a room that is %s by now for nobody but whoever was inside', async (_how, closed, open) => {
    const [adas, bobs, eves] = [await keyOf(ada), await keyOf(bob), await keyOf(eve)];
    expect([await opens(adas), await opens(bobs), await opens(eves)]).toEqual([true, true, true]);
    isThere(ada, bob);
    await change(ada, closed);
    expect([await opens(adas), await opens(bobs), await opens(eves)]).toEqual([true, true, false]);
    // Bob has left; the repeated removal changes nothing.
    isThere(ada);
    await change(ada, closed);
    expect(await opens(bobs)).toBe(true);
    await change(ada, open);
    expect([await opens(bobs), await opens(eves)]).toEqual([true, false]);
    expect(await opens(await keyOf(eve))).toBe(true);
    await change(ada, closed);
    expect([await opens(adas), await opens(bobs)]).toEqual([true, false]);
  });

  it('is no matter to whoever is let in afterwards', async () => {
    await join(ada);
    await change(ada, { access: 'invited' });
    const { invite: secret } = await invite();
    const bobs = await keyOf(bob, { invite: secret });
    expect(await opens(bobs)).toBe(true);
    await change(ada, { lobby: true });
    expect(await opens(bobs)).toBe(false);
    await ask('join-room', bob, { invite: secret });
    await app.as(ada.token, 'POST', room(`/participants/${bob.user._id}/admit`));
    expect(await opens(await keyOf(bob, { invite: secret }))).toBe(true);
  });

  it('opens nothing for whom the owner put out, nor once its session has ended', async () => {
    await join(ada);
    const bobs = await keyOf(bob);
    isThere(ada, bob);
    await remove(ada, bob);
    expect(await opens(bobs)).toBe(false);
    const eves = await keyOf(eve);
    const sessions = await app.as(eve.token, 'GET', '/api/auth/sessions');
    const [session] = z.array(z.object({ _id: z.string() })).parse(sessions.json());
    await app.as(eve.token, 'DELETE', `/api/auth/sessions/${session?._id}`);
    expect(await opens(eves)).toBe(false);
  });

  it('says nothing else than it did when it is renewed, and is worth nothing changed', async () => {
    await join(ada);
    const bobs = await keyOf(bob);
    await change(ada, { locked: true });
    expect(JSON.parse(bobs.metadata ?? '')).toEqual({ role: 'customer', door: expect.any(String) });
    const forged = { ...bobs, metadata: JSON.stringify({ role: 'customer', door: 'x'.repeat(80) }) };
    expect([await opens(bobs), await opens(forged)]).toEqual([false, false]);
    expect(await opens({ ...bobs, metadata: '{"role":"customer"}' })).toBe(false);
  });

  it('puts out whoever came with it where the room server asks nobody', async () => {
    await join(ada);
    const { metadata = '' } = await keyOf(bob);
    isThere(ada);
    await change(ada, { locked: true });
    isThere(ada, bob);
    const participant = aRoomParticipant({ identity: bob.user._id, name: 'Bob', metadata });
    rooms.tell({ type: 'participant_joined', room: roomName, roomSid: 'RM_1', participant });
    await until(() => (there().includes('Bob') ? undefined : true), 'Bob to be out');
    expect(there()).toEqual(['Ada']);
  });

  it('does not keep a room open whose people cannot be listed', async () => {
    await join(ada);
    const bobs = await keyOf(bob);
    rooms.isAway = true;
    expect((await change(ada, { locked: true })).json()).toMatchObject({ locked: true });
    rooms.isAway = false;
    expect(await opens(bobs)).toBe(false);
  });
});

describe('an installation whose rooms are by invitation', () => {
  it('makes every new room so', async () => {
    const closed = await openTestApp({
      engines: { rooms: createFakeRooms() },
      config: {
        publicUrl: 'https://care.example.com/',
        corsOrigins: [],
        rateLimit: false,
        rooms: {
          ...{ livekit: null, keys: null, udpPorts: null, address: null },
          access: 'invited',
          stunServers: ['stun:stun.example.com:3478'],
        },
      },
    });
    const [ann, ben] = [await closed.signUp(), await closed.signUp()];
    const enter = async ({ token, user }: SignedIn) => {
      const body = { roomName: 'sales', participantName: 'x', participantIdentity: user._id };
      return closed.as(token, 'POST', '/api/livekit/join-room', body);
    };
    const entered = await enter(ann);
    expect([entered.statusCode, (await enter(ben)).statusCode]).toEqual([200, 403]);
    // Settings for browsers are passed, too.
    expect(entered.json().stunServers).toEqual(['stun:stun.example.com:3478']);
    const testRoom = await closed.as(ann.token, 'POST', '/api/livekit/create-test-room');
    expect(testRoom.json().stunServers).toEqual(['stun:stun.example.com:3478']);
    const link = await closed.as(ann.token, 'POST', '/api/livekit/rooms/sales/invites');
    expect(link.json().url).toMatch(/^https:\/\/care\.example\.com\/live-call\/sales#invite=[\w-]{43}$/);
    await closed.close();
  });
});
