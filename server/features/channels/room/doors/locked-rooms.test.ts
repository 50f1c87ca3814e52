import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LeaveRequest } from '@livekit/protocol';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { RoomsEngine } from '#server/engines/rooms/contract';
import { createRooms } from '#server/engines/rooms/index';
import type { SignedIn } from '#shared/accounts';
import { joinedRoomSchema } from '#shared/rooms';
import { capturedLogger } from '../../../../../tests/support/captured-logger.ts';
import { SignalClient } from '../../../../../tests/support/signal-client.ts';
import { openTestApp, type TestApp } from '../../../../../tests/support/test-app.ts';

/* The embedded room server behind the product's own port, which asks the product before admitting. */

let dataDir: string;
let rooms: RoomsEngine;
let app: TestApp;
let url: string;
let ada: SignedIn;
let bob: SignedIn;
let eve: SignedIn;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'sigma-rooms-'));
  const settings = {
    livekit: null,
    keys: null,
    udpPorts: null,
    address: null,
    access: 'members' as const,
    stunServers: null,
  };
  const { logger } = capturedLogger();
  rooms = await createRooms({ dataDir, rooms: settings }, { logger, begin: Promise.resolve() });
  app = await openTestApp({ engines: { rooms } });
  url = (await app.listen()).replace('http', 'ws');
  await rooms.ready;
  [ada, bob, eve] = [await app.signUp(), await app.signUp(), await app.signUp()];
});
afterAll(async () => {
  await app.close();
  await rooms.close();
  await rm(dataDir, { recursive: true, force: true });
});

async function keyOf({ token, user }: SignedIn): Promise<string> {
  const body = { roomName: 'sales', participantName: 'x', participantIdentity: user._id };
  const response = await app.as(token, 'POST', '/api/livekit/join-room', body);
  return joinedRoomSchema.parse(response.json()).participantToken;
}
const people = async () => (await rooms.listParticipants('sales')).map(({ identity }) => identity);

it('lets nobody in by a key from before it was locked, and whoever was inside back', async () => {
  const [adas, bobs, eves] = [await keyOf(ada), await keyOf(bob), await keyOf(eve)];
  await SignalClient.with(url, adas);
  const inside = await SignalClient.with(url, bobs);
  expect(await people()).toEqual([ada.user._id, bob.user._id]);
  await app.as(ada.token, 'PUT', '/api/livekit/rooms/sales', { locked: true });

  await expect(SignalClient.with(url, eves)).rejects.toThrow('401');
  const validated = await fetch(`${url.replace('ws', 'http')}/rtc/validate?access_token=${eves}`);
  expect([validated.status, await validated.text()]).toEqual([
    401,
    'this room is not open to you any more: ask to be let in again',
  ]);

  // A full reconnect leaves first, and is checked again.
  inside.send({ case: 'leave', value: new LeaveRequest() });
  await expect.poll(people).toEqual([ada.user._id]);
  await SignalClient.with(url, bobs);
  expect(await people()).toEqual([ada.user._id, bob.user._id]);

  await app.as(ada.token, 'PUT', '/api/livekit/rooms/sales', { locked: false });
  await expect(SignalClient.with(url, eves)).rejects.toThrow('401');
  await SignalClient.with(url, await keyOf(eve));
  expect(await people()).toHaveLength(3);
});
