import { EngineError } from '#server/lib/engine-error';
import type { EngineStatus } from '#shared/status';
import type {
  MayEnter,
  RoomEvent,
  RoomGrant,
  RoomOptions,
  RoomParticipant,
  RoomsEngine,
} from './contract.ts';

interface FakeRooms extends RoomsEngine {
  kind: RoomsEngine['kind'];
  /** The grants of all tokens that were made. */
  readonly grants: RoomGrant[];
  readonly deleted: string[];
  readonly created: { name: string; options: RoomOptions }[];
  /** Participants by room, as `listParticipants` answers. */
  readonly people: Map<string, RoomParticipant[]>;
  /** Set by `askAtTheDoor`; null until then. */
  mayEnter: MayEnter | null;
  /** While set, the room server is unreachable. */
  isAway: boolean;
  tell(event: RoomEvent): void;
}

/** Rooms whose participants the test sets; a token is its grant in JSON. */
export function createFakeRooms(options: { status?: () => EngineStatus } = {}): FakeRooms {
  const listeners = new Set<(event: RoomEvent) => void>();
  const reach = (rooms: FakeRooms) => {
    if (rooms.isAway) throw new EngineError('The room server cannot be reached.', { retryable: true });
  };
  return {
    name: 'Fake rooms',
    kind: 'embedded',
    ready: Promise.resolve(),
    internalUrl: 'ws://127.0.0.1:1',
    grants: [],
    created: [],
    deleted: [],
    people: new Map(),
    isAway: false,
    mayEnter: null,
    status: options.status ?? (() => ({ state: 'ready', message: 'Rooms are ready.' })),
    wsUrl: ({ host, secure }) => `${secure ? 'wss' : 'ws'}://${host}`,
    async token(grant) {
      this.grants.push(grant);
      return JSON.stringify(grant);
    },
    async createRoom(name, room = {}) {
      reach(this);
      this.created.push({ name, options: room });
    },
    async listParticipants(room) {
      reach(this);
      return this.people.get(room) ?? [];
    },
    async removeParticipant(room, identity) {
      reach(this);
      this.people.set(
        room,
        (this.people.get(room) ?? []).filter((one) => one.identity !== identity),
      );
    },
    async muteTrack(room, identity, trackSid, muted) {
      reach(this);
      const tracks = this.people.get(room)?.find((one) => one.identity === identity)?.tracks ?? [];
      for (const track of tracks) if (track.sid === trackSid) track.muted = muted;
    },
    async deleteRoom(name) {
      reach(this);
      this.deleted.push(name);
    },
    askAtTheDoor(mayEnter) {
      this.mayEnter = mayEnter;
    },
    receiveWebhook: async (_body, authorization) => authorization === 'genuine',
    onEvent(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    tell(event) {
      for (const listener of listeners) listener(event);
    },
    async close() {},
  };
}
