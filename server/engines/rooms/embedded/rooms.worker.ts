import { DisconnectReason } from '@livekit/protocol';
import type { RoomEvent, RoomOptions, RoomParticipant } from '#server/engines/rooms/contract';
import type { RoomKeys } from '#server/engines/rooms/keys';
import { toLeaveReason, toParticipant } from '#server/engines/rooms/tell';
import { serveWorkerThread } from '#server/threads/worker-thread';
import type { UdpOptions } from './media/udp-ports.ts';
import { RoomServer } from './room-server.ts';
import { type Arrival, Door } from './signalling/door.ts';
import { mute } from './signalling/requests.ts';
import type { RoomsEvent } from './signalling/rooms.ts';

export type WorkerEvent =
  | { kind: 'room'; event: RoomEvent }
  /** A participant wants to enter: `letIn` answers. */
  | ({ kind: 'arrival' } & Arrival)
  | { kind: 'failure'; error: Error };

/** A broken packet may come a thousand times a second; limits how often its error is reported. */
const FAILURES_PER_MINUTE = 10;

let server: RoomServer | null = null;
const door = new Door((arrival) => tell({ kind: 'arrival', ...arrival }));

const running = (): RoomServer => {
  if (!server) throw new Error('The room server is not running.');
  return server;
};

const methods = {
  /** @returns the TCP port for signalling, on 127.0.0.1 */
  async start(options: UdpOptions & { keys: RoomKeys; port: number | null }): Promise<{ port: number }> {
    server = await RoomServer.start({
      ...options,
      mayEnter: (room, participant) => door.ask(room, participant),
      onEvent: (event) => tell({ kind: 'room', event: toRoomEvent(event) }),
      onFailure: tellFailure,
    });
    return { port: server.port };
  },

  /** @param isWelcome null: unknown */
  async letIn({ id, isWelcome }: { id: number; isWelcome: boolean | null }): Promise<void> {
    door.answer(id, isWelcome);
  },

  async createRoom({ name, options }: { name: string; options: RoomOptions }): Promise<void> {
    const settings = Object.entries(options).filter(([, value]) => value !== undefined);
    running().rooms.open(name, Object.fromEntries(settings));
  },

  async listParticipants({ room }: { room: string }): Promise<RoomParticipant[]> {
    const participants = running().rooms.get(room)?.participants.values() ?? [];
    return [...participants].map((participant) => toParticipant(participant.info()));
  },

  async removeParticipant({ room, identity }: { room: string; identity: string }): Promise<void> {
    running().rooms.expel(room, identity);
  },

  async muteTrack(wanted: {
    room: string;
    identity: string;
    trackSid: string;
    muted: boolean;
  }): Promise<void> {
    const room = running().rooms.get(wanted.room);
    const participant = room?.participants.get(wanted.identity);
    if (room && participant && mute(room, participant, wanted.trackSid, wanted.muted))
      participant.tellMuted(wanted.trackSid, wanted.muted);
  },

  async deleteRoom({ name }: { name: string }): Promise<void> {
    running().rooms.close(name, DisconnectReason.ROOM_DELETED);
  },

  async stop(): Promise<void> {
    await server?.close();
    server = null;
  },
};

export type RoomMethods = typeof methods;

const send = serveWorkerThread(methods);
const tell = (event: WorkerEvent) => send(event);

let failures = { since: 0, count: 0 };
function tellFailure(error: unknown): void {
  if (Date.now() - failures.since > 60_000) failures = { since: Date.now(), count: 0 };
  if (++failures.count > FAILURES_PER_MINUTE) return;
  tell({ kind: 'failure', error: error instanceof Error ? error : new Error(String(error)) });
}

// One participant's broken packet must not end all calls.
process.on('unhandledRejection', tellFailure);
process.on('uncaughtException', tellFailure);

function toRoomEvent(event: RoomsEvent): RoomEvent {
  if (event.type === 'participant_joined') return { ...event, participant: toParticipant(event.participant) };
  if (event.type === 'participant_left')
    return {
      ...event,
      participant: toParticipant(event.participant),
      reason: toLeaveReason(event.reason),
    };
  return event;
}
