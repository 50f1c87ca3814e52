import {
  createdRoomSchema,
  joinedRoomSchema,
  type RoomRequest,
  TEST_ROOM_NAME,
  testRoomSchema,
} from '#shared/rooms';
import { request, requestData } from '#web/lib/server/api-client';
import { ApiError } from '#web/lib/server/api-error';
import type { Door } from './connection/live-room.ts';

/** Makes a room unless it is there, and asks for the key to it. */
export async function requestDoor(payload: RoomRequest): Promise<Door> {
  await request('/api/livekit/create-room', { method: 'POST', body: payload, schema: createdRoomSchema });
  const joined = await requestData('/api/livekit/join-room', {
    method: 'POST',
    body: payload,
    schema: joinedRoomSchema,
  });
  return { room: payload.roomName, wsUrl: joined.wsUrl, token: joined.participantToken };
}

/** Asks for the key to the test room. */
export async function requestTestDoor(): Promise<Door> {
  const { token, wsUrl } = await requestData('/api/livekit/create-test-room', {
    method: 'POST',
    schema: testRoomSchema,
  });
  return { room: TEST_ROOM_NAME, wsUrl, token };
}

/** What a failed join says (specification, section 8): the server's own words, else `otherwise`. */
export const joinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError ? error.serverMessage : null) ?? otherwise;

/** What a failed join of the test room says: the error's own message, else `otherwise`. */
export const testJoinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise;
