import {
  createdRoomSchema,
  joinedRoomSchema,
  type RoomRequest,
  TEST_ROOM_NAME,
  testRoomSchema,
} from '#shared/rooms';
import { request, requestData } from '#web/lib/server/api-client';
import { ApiError } from '#web/lib/server/api-error';
import { type Door, USUAL_STUN_SERVERS } from './connection/live-room.ts';

/** So often whoever waits in a lobby asks again. */
const KNOCK_MS = 3_000;

/**
 * Makes a room unless it is there, and asks for the key to it; again and again while its owner has not let one in.
 * @param onLobby told what the server says to whoever waits
 * @throws the signal's reason, ApiError
 */
export async function requestDoor(
  payload: RoomRequest,
  { signal, onLobby }: { signal: AbortSignal; onLobby: (sentence: string) => void },
): Promise<Door> {
  for (;;)
    try {
      return await askForDoor(payload, signal);
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'lobby') throw error;
      onLobby(error.message);
      await pause(KNOCK_MS, signal);
    }
}

async function askForDoor(payload: RoomRequest, signal: AbortSignal): Promise<Door> {
  const asked = { method: 'POST', body: payload, signal } as const;
  await request('/api/livekit/create-room', { ...asked, schema: createdRoomSchema });
  const joined = await requestData('/api/livekit/join-room', { ...asked, schema: joinedRoomSchema });
  return {
    // As whoever made the room wrote its name.
    room: joined.roomName,
    wsUrl: joined.wsUrl,
    token: joined.participantToken,
    isOwner: joined.isOwner ?? false,
    stunServers: joined.stunServers ?? USUAL_STUN_SERVERS,
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal.addEventListener('abort', onAbort, { once: true });
  });
}

/** Asks for the key to the test room. */
export async function requestTestDoor(): Promise<Door> {
  const {
    token,
    wsUrl,
    stunServers = USUAL_STUN_SERVERS,
  } = await requestData('/api/livekit/create-test-room', {
    method: 'POST',
    schema: testRoomSchema,
  });
  return { room: TEST_ROOM_NAME, wsUrl, token, isOwner: false, stunServers };
}

/** What a failed join says (specification, section 8): the server's own words, else `otherwise`. */
export const joinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError ? error.serverMessage : null) ?? otherwise;

/** What a failed join of the test room says: the error's own message, else `otherwise`. */
export const testJoinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise;
