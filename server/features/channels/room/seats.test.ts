import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SignedIn } from '#shared/accounts';
import { until } from '../../../../tests/support/room-world.ts';
import { openTestApp, type TestApp } from '../../../../tests/support/test-app.ts';

let app: TestApp;
let participants: ReturnType<typeof createFakeParticipants>;
beforeEach(async () => {
  participants = createFakeParticipants();
  app = await openTestApp({ engines: { rooms: createFakeRooms(), participants } });
  // Stops the clock, however long signing up takes.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});
afterEach(async () => {
  vi.useRealTimers();
  await app.close();
});

const join = ({ token, user }: SignedIn, roomName: string) =>
  app.as(token, 'POST', '/api/livekit/join-room', {
    roomName,
    participantName: user.name,
    participantIdentity: user._id,
  });

/** An admitted person enters a room. */
async function comes({ user }: SignedIn, roomName: string): Promise<void> {
  const presence = await until(
    () => participants.presences.find(({ token }) => JSON.parse(token).room === roomName),
    `the agent in ${roomName}`,
  );
  presence.join({ identity: user._id, name: user.name });
}

/** Three accounts take the most one account may: fifteen of the twenty agents. */
async function crowd(): Promise<void> {
  for (let n = 0; n < 3; n++) {
    const greedy = await app.signUp();
    for (let room = 0; room < 5; room++)
      expect((await join(greedy, `${greedy.user._id}-${room}`)).statusCode).toBe(200);
  }
}

it('keeps the last agents for accounts that have none', async () => {
  await crowd();
  const fourth = await app.signUp();
  expect((await join(fourth, 'first')).statusCode).toBe(200);
  await comes(fourth, 'first');
  const second = await join(fourth, 'second');
  expect([second.statusCode, second.json().error]).toEqual([
    503,
    'Nearly all agents are in calls. Leave your other room first, or try again later.',
  ]);
  for (let n = 0; n < 4; n++) expect((await join(await app.signUp(), `of-${n}`)).statusCode).toBe(200);
  const late = await join(await app.signUp(), 'late');
  expect([late.statusCode, late.json().error]).toEqual([
    503,
    'All agents are in calls at the moment. Please try again in a few minutes.',
  ]);
  // A room that has its agent is open to everybody.
  expect((await join(fourth, 'of-1')).statusCode).toBe(200);
});

it('lets whoever is in no room into another one than they asked for first', async () => {
  await crowd();
  const fourth = await app.signUp();
  for (const roomName of ['first', 'second', 'third'])
    expect((await join(fourth, roomName)).statusCode).toBe(200);
  // Their agents are free for others.
  for (let n = 0; n < 4; n++) expect((await join(await app.signUp(), `of-${n}`)).statusCode).toBe(200);
  expect((await join(await app.signUp(), 'late')).statusCode).toBe(503);
  expect((await join(fourth, 'fourth')).statusCode).toBe(200);
  await comes(fourth, 'fourth');
  expect((await join(fourth, 'fifth')).json().error).toMatch(/^Nearly all agents are in calls/);
});

it('gives an agent who waits in a room that nobody came to where somebody wants one', async () => {
  await crowd();
  for (let n = 0; n < 5; n++) expect((await join(await app.signUp(), `of-${n}`)).statusCode).toBe(200);
  const late = await app.signUp();
  expect((await join(late, 'late')).statusCode).toBe(503);
  vi.setSystemTime(Date.now() + 11_000);
  expect((await join(late, 'late')).statusCode).toBe(200);
});
