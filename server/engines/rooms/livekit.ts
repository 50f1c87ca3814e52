import { RoomServiceClient, WebhookReceiver } from 'livekit-server-sdk';
import { EngineError } from '#server/lib/engine-error';
import { Overlap } from '#server/lib/overlap';
import { withoutTrailingSlashes } from '#server/lib/trailing-slashes';
import type { EngineStatus } from '#shared/status';
import { roomToken } from './access.ts';
import type { RoomEvent, RoomsEngine } from './contract.ts';
import type { RoomKeys } from './keys.ts';
import { RoomListeners } from './listeners.ts';
import { toLeaveReason, toParticipant, trackKind } from './tell.ts';

const CHECK_MS = 15_000;
const REQUEST_TIMEOUT_S = 10;

/** A LiveKit server or cluster, reached through its own server SDK. */
export function createLiveKitRooms({
  url,
  ...first
}: RoomKeys & {
  /** ws(s) or http(s). */
  url: string;
}): RoomsEngine {
  const wsUrl = withoutTrailingSlashes(url.replace(/^http/, 'ws'));
  const clientOf = ({ apiKey, apiSecret }: RoomKeys) =>
    new RoomServiceClient(wsUrl.replace(/^ws/, 'http'), apiKey, apiSecret, {
      requestTimeout: REQUEST_TIMEOUT_S,
    });
  const keys = new Overlap(first);
  let client = clientOf(first);
  const listeners = new RoomListeners();
  let status: EngineStatus = { state: 'loading', message: 'Voice rooms: asking the LiveKit server.' };

  const check = async () => {
    try {
      // No room has this name, so the answer is short; it still verifies the keys.
      await client.listRooms(['-']);
      status = { state: 'ready', message: 'Voice rooms are ready, on the LiveKit server.' };
    } catch (error) {
      status = {
        state: 'failed',
        message: isRefused(error)
          ? 'The LiveKit server refuses the keys in LIVEKIT_API_KEY and LIVEKIT_API_SECRET.'
          : 'The LiveKit server at LIVEKIT_URL cannot be reached.',
      };
    }
  };
  const ready = check();
  const checking = setInterval(() => void check(), CHECK_MS).unref();

  return {
    name: 'LiveKit',
    kind: 'livekit',
    ready,
    internalUrl: wsUrl,
    status: () => status,
    wsUrl: () => wsUrl,
    token: (grant) => roomToken(keys.now, grant),
    createRoom: (name, room = {}) =>
      carriedOut(async () => {
        await client.createRoom({
          name,
          ...(room.emptyTimeoutMs ? { emptyTimeout: seconds(room.emptyTimeoutMs) } : {}),
          ...(room.departureTimeoutMs ? { departureTimeout: seconds(room.departureTimeoutMs) } : {}),
          ...(room.maxParticipants ? { maxParticipants: room.maxParticipants } : {}),
          ...(room.metadata ? { metadata: room.metadata } : {}),
        });
      }),
    listParticipants: (room) =>
      carriedOut(async () => (await client.listParticipants(room)).map(toParticipant), { answer: [] }),
    removeParticipant: (room, identity) =>
      carriedOut(() => client.removeParticipant(room, identity), { answer: undefined }),
    muteTrack: (room, identity, trackSid, muted) =>
      carriedOut(
        async () => {
          await client.mutePublishedTrack(room, identity, trackSid, muted);
        },
        { answer: undefined },
      ),
    deleteRoom: (name) => carriedOut(() => client.deleteRoom(name), { answer: undefined }),
    onEvent: (listener) => listeners.add(listener),
    async receiveWebhook(body, authorization) {
      for (const { apiKey, apiSecret } of keys.valid) {
        const receiver = new WebhookReceiver(apiKey, apiSecret);
        const said = await receiver.receive(body, authorization).catch(() => null);
        if (!said) continue;
        const event = toRoomEvent(said);
        if (event) listeners.tell(event);
        return true;
      }
      return false;
    },
    takeKeys({ apiKey, apiSecret }) {
      keys.replace({ apiKey, apiSecret });
      client = clientOf(keys.now);
      void check();
    },
    async close() {
      clearInterval(checking);
      listeners.clear();
    },
  };
}

const seconds = (ms: number) => Math.max(1, Math.round(ms / 1000));

/** @param whenMissing result if the subject does not exist; without it, that is an error */
async function carriedOut<T>(run: () => Promise<T>, whenMissing?: { answer: T }): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (whenMissing && statusOf(error) === 404) return whenMissing.answer;
    throw new EngineError(
      isRefused(error)
        ? 'The LiveKit server refuses the keys of this server.'
        : 'The LiveKit server could not do that. Please try again in a moment.',
      { retryable: !isRefused(error), cause: error },
    );
  }
}

const statusOf = (error: unknown) =>
  error instanceof Error && 'status' in error && typeof error.status === 'number' ? error.status : null;
const isRefused = (error: unknown) => [401, 403].includes(statusOf(error) ?? 0);

function toRoomEvent(event: Awaited<ReturnType<WebhookReceiver['receive']>>): RoomEvent | null {
  const { room, participant, track } = event;
  if (!room) return null;
  const about = { room: room.name, roomSid: room.sid };
  switch (event.event) {
    case 'room_started':
    case 'room_finished':
      return { type: event.event, ...about };
    case 'participant_joined':
      return participant
        ? { type: 'participant_joined', ...about, participant: toParticipant(participant) }
        : null;
    case 'participant_left':
      return participant
        ? {
            type: 'participant_left',
            ...about,
            participant: toParticipant(participant),
            reason: toLeaveReason(participant.disconnectReason),
          }
        : null;
    case 'track_published':
    case 'track_unpublished':
      return participant && track
        ? {
            type: event.event,
            ...about,
            identity: participant.identity,
            trackSid: track.sid,
            kind: trackKind(track.type),
          }
        : null;
    default:
      return null;
  }
}
