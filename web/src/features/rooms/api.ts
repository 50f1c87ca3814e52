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

/** Interval at which people in a lobby ask again. */
const KNOCK_MS = 3_000;

/**
 * Makes a room unless it exists, and requests its key; repeats while the owner has not admitted the user.
 * @param onLobby called with the server's sentence for people in the lobby
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
    // As the room's creator wrote its name.
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

/** Requests the key of the test room. */
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

/** The text of a failed join (specification, section 8): the server's own words, else `otherwise`. */
export const joinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof ApiError ? error.serverMessage : null) ?? otherwise;

/** The text of a failed join of the test room: the error's own message, else `otherwise`. */
export const testJoinProblem = (error: unknown, otherwise: string): string =>
  (error instanceof Error && error.message) || otherwise;
