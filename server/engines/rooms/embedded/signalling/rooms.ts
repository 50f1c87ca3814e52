import { DisconnectReason, type ParticipantInfo } from '@livekit/protocol';
import type { Publication } from '#server/engines/rooms/embedded/forwarding/publication';
import { Expulsions } from './expulsions.ts';
import type { Participant } from './participant.ts';
import { Room, type RoomSettings } from './room.ts';

/** Events of rooms, as reported to the product. */
export type RoomsEvent =
  | { type: 'room_started' | 'room_finished'; room: string; roomSid: string }
  | { type: 'participant_joined'; room: string; roomSid: string; participant: ParticipantInfo }
  | {
      type: 'participant_left';
      room: string;
      roomSid: string;
      participant: ParticipantInfo;
      reason: DisconnectReason;
    }
  | {
      type: 'track_published' | 'track_unpublished';
      room: string;
      roomSid: string;
      identity: string;
      trackSid: string;
      kind: 'audio' | 'video';
    };

const defaults: RoomSettings = {
  emptyTimeoutMs: 300_000,
  departureTimeoutMs: 20_000,
  maxParticipants: 0,
  metadata: '',
};

/**
 * All rooms of this server. A room begins when it is created or first entered, and ends after being empty for
 * a while.
 */
export class Rooms {
  readonly #rooms = new Map<string, Room>();
  readonly #expulsions = new Expulsions();
  readonly #onEvent: (event: RoomsEvent) => void;

  constructor(onEvent: (event: RoomsEvent) => void) {
    this.#onEvent = onEvent;
  }

  get(name: string): Room | undefined {
    return this.#rooms.get(name);
  }

  list(): Room[] {
    return [...this.#rooms.values()];
  }

  /** The room of that name with these settings applied; created if missing. */
  open(name: string, settings: Partial<RoomSettings> = {}): Room {
    const known = this.#rooms.get(name);
    if (known) {
      const { metadata, ...others } = settings;
      Object.assign(known.settings, others);
      if (metadata !== undefined && metadata !== known.settings.metadata) known.setMetadata(metadata);
      return known;
    }
    const room: Room = new Room(
      name,
      { ...defaults, ...settings },
      {
        onActive: (_room, participant) => this.#tellPerson('participant_joined', room, participant),
        onLeft: (_room, participant, reason) =>
          this.#onEvent({
            type: 'participant_left',
            ...about(room),
            participant: participant.info(),
            reason,
          }),
        onTrack: (_room, participant, publication, isPublished) =>
          this.#tellTrack(room, participant, publication, isPublished),
        onExpired: () => this.close(name, DisconnectReason.ROOM_CLOSED),
      },
    );
    this.#rooms.set(name, room);
    this.#onEvent({ type: 'room_started', ...about(room) });
    return room;
  }

  /** Removes a participant; tokens they hold no longer open the room. */
  expel(name: string, identity: string): void {
    this.#expulsions.note(name, identity);
    const room = this.get(name);
    const participant = room?.participants.get(identity);
    if (room && participant) room.leave(participant, DisconnectReason.PARTICIPANT_REMOVED, { tell: true });
  }

  /**
   * Whether this identity was removed after the token was issued. @param issuedAt in seconds, as in tokens
   */
  isExpelled(name: string, identity: string, issuedAt: number): boolean {
    return this.#expulsions.isAfter(name, identity, issuedAt);
  }

  /** Ends a room. @returns whether it existed */
  close(name: string, reason: DisconnectReason): boolean {
    const room = this.#rooms.get(name);
    if (!room) return false;
    this.#rooms.delete(name);
    room.close(reason);
    this.#onEvent({ type: 'room_finished', ...about(room) });
    return true;
  }

  /** The server is stopping: participants return when it is back. */
  closeAll(): void {
    for (const room of this.#rooms.values()) {
      room.close(DisconnectReason.SERVER_SHUTDOWN, { comeBack: true });
      this.#onEvent({ type: 'room_finished', ...about(room) });
    }
    this.#rooms.clear();
  }

  #tellPerson(type: 'participant_joined', room: Room, participant: Participant): void {
    this.#onEvent({ type, ...about(room), participant: participant.info() });
  }

  #tellTrack(room: Room, { identity }: Participant, { info, kind }: Publication, isPublished: boolean): void {
    this.#onEvent({
      type: isPublished ? 'track_published' : 'track_unpublished',
      ...about(room),
      identity,
      trackSid: info.sid,
      kind,
    });
  }
}

const about = (room: Room) => ({ room: room.name, roomSid: room.sid });
