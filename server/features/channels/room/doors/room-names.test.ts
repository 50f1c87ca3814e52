import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rooms as roomsTable } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SignedIn } from '#shared/accounts';
import { openTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';
import { DoorsRepository } from './repository.ts';
import { RoomDoors } from './room-doors.ts';

const rooms = createFakeRooms();
let app: TestApp;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
let made = 0;
beforeAll(async () => {
  app = await openTestApp({ engines: { rooms } });
});
afterAll(() => app.close());
beforeEach(async () => {
  made++;
  [ada, bob, eve] = [await app.signUp(), await app.signUp(), await app.signUp()];
});

const joins = (who: SignedIn, roomName: string) =>
  app.as(who.token, 'POST', '/api/livekit/join-room', {
    roomName,
    participantName: 'whoever',
    participantIdentity: who.user._id,
  });

describe('names that look alike', () => {
  it.each([
    ['another case', 'CAFÉ-Straße 1', 'café-STRASSE 1'],
    ['invisible characters', 'sales', 'sa\u200bl\u00ades\ufeff\u2060'],
    ['invisible characters of its own', 'sup\u200bport', 'support'],
    ['forms of compatibility', 'Office 1', 'Ｏﬃce ①'],
    ['other blanks', 'our room', 'our\u00a0\u3000\u2800 room'],
    ['directions of writing', 'abc', '\u202eabc\u200f'],
    ['composed accents', 'cafe\u0301', 'CAF\u00c9'],
  ])('are one room: %s', async (_what, first, other) => {
    const [mine, theirs] = [`${first} of ${made}`, `${other} of ${made}`];
    const roomName = mine.normalize('NFC');
    expect((await joins(ada, mine)).json()).toMatchObject({ roomName, isOwner: true });
    const { roomName: shown, isOwner = false } = (await joins(bob, theirs)).json();
    expect([shown, isOwner]).toEqual([roomName, false]);
    // All requests go to the one room.
    const path = `/api/livekit/rooms/${encodeURIComponent(theirs)}`;
    const locked = await app.as(ada.token, 'PUT', path, { locked: true });
    expect(locked.json()).toMatchObject({ roomName, locked: true });
    expect((await app.as(bob.token, 'PUT', path, { locked: false })).statusCode).toBe(403);
    expect((await joins(bob, theirs)).statusCode).toBe(403);
    const link = await app.as(ada.token, 'POST', `${path}/invites`);
    expect(link.json().url).toContain(`/live-call/${encodeURIComponent(roomName)}#`);
  });

  it('of the test room are the test room', async () => {
    const response = await joins(bob, 'TEST-\u200bRoom');
    expect(response.json()).toMatchObject({ roomName: 'test-room' });
    expect(response.json().isOwner).toBeUndefined();
  });

  it('stay apart where letters only resemble each other, or something else is seen', async () => {
    await joins(ada, `sales ${made}`);
    for (const name of [`sаles ${made}`, `sales-${made}`, `sales ${made}!`, `säles ${made}`])
      expect((await joins(bob, name)).json()).toMatchObject({ roomName: name, isOwner: true });
  });

  it('are no name where nothing is seen', async () => {
    const response = await joins(bob, '\u200b\u2060 \u2800');
    expect([response.statusCode, response.json().error]).toEqual([400, 'Please enter a room name.']);
  });

  it('make one room when two people come in the same moment', async () => {
    const [lower, upper] = [`rush ${made}`, `RUSH ${made}`];
    const answers = await Promise.all([joins(ada, lower), joins(bob, upper), joins(eve, lower)]);
    expect(new Set(answers.map((response) => response.json().roomName)).size).toBe(1);
    expect(answers.filter((response) => response.json().isOwner)).toHaveLength(1);
  });

  it('that earlier versions took for two rooms stay two, each under its own', async () => {
    const { db } = app.database;
    const names = [`Twins ${made}`, `twins ${made}`] as const;
    const earlier = { access: 'members' as const, look: null };
    await db.insert(roomsTable).values([
      { ...earlier, name: names[0], ownerId: ada.user._id, usedAt: new Date(Date.now() - 1_000) },
      { ...earlier, name: names[1], ownerId: bob.user._id, usedAt: new Date() },
    ]);
    const repository = new DoorsRepository(db);
    const doors = new RoomDoors({ rooms, repository, access: 'members', sharedState: null, onFailure() {} });
    const entered = async (who: SignedIn, name: string) => {
      const { roomName: of, comesAs } = await doors.enter(who.user._id, { roomName: name });
      return [of, comesAs];
    };
    expect(await entered(ada, names[0])).toEqual([names[0], 'owner']);
    expect(await entered(bob, names[1])).toEqual([names[1], 'owner']);
    expect(await entered(eve, names[0])).toEqual([names[0], 'guest']);
    // Another spelling leads to the latest used room while it exists.
    expect(await entered(eve, `TWINS ${made}`)).toEqual([names[1], 'guest']);
    await db.delete(roomsTable).where(eq(roomsTable.name, names[1]));
    await doors.sweep();
    expect(await entered(eve, `TWINS ${made}`)).toEqual([names[0], 'guest']);
  });
});
