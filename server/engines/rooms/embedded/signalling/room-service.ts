import {
  CreateRoomRequest,
  DataPacket,
  DataPacket_Kind,
  DeleteRoomRequest,
  DeleteRoomResponse,
  DisconnectReason,
  ListParticipantsRequest,
  ListParticipantsResponse,
  ListRoomsRequest,
  ListRoomsResponse,
  MuteRoomTrackRequest,
  MuteRoomTrackResponse,
  ParticipantInfo_Kind,
  RemoveParticipantResponse,
  RoomParticipantIdentity,
  SendDataRequest,
  SendDataResponse,
  UpdateParticipantRequest,
  UpdateRoomMetadataRequest,
  UpdateSubscriptionsRequest,
  UpdateSubscriptionsResponse,
  UserPacket,
} from '@livekit/protocol';
import type { VideoGrant } from 'livekit-server-sdk';
import { type Face, faceProblem, MAX_NAME_CHARACTERS } from './limits.ts';
import type { Participant } from './participant.ts';
import { mayPublish, permissionsFrom } from './permissions.ts';
import { mute, subscribed, withChanges } from './requests.ts';
import type { Room } from './room.ts';
import { settingsOf } from './room-settings.ts';
import type { Rooms } from './rooms.ts';

/** A Twirp error: its code determines the HTTP status. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError';
  readonly code: keyof typeof statuses;

  constructor(code: keyof typeof statuses, message: string) {
    super(message);
    this.code = code;
  }

  get status(): number {
    return statuses[this.code];
  }
}

const statuses = {
  invalid_argument: 400,
  malformed: 400,
  unauthenticated: 401,
  not_found: 404,
  bad_route: 404,
  failed_precondition: 412,
  internal: 500,
  unimplemented: 501,
};

interface Message {
  toJsonString(options?: { emitDefaultValues?: boolean }): string;
  toBinary(): Uint8Array;
}
interface MessageType<T> {
  fromBinary(bytes: Uint8Array): T;
  fromJsonString(text: string, options?: { ignoreUnknownFields?: boolean }): T;
}
/** Parses a request's body as the given type. */
type ReadBody = <T>(type: MessageType<T>) => T;

/** LiveKit's RoomService, so that its server SDKs work with this server. */
export class RoomService {
  readonly #rooms: Rooms;

  constructor(rooms: Rooms) {
    this.#rooms = rooms;
  }

  /**
   * @param method as in `/twirp/livekit.RoomService/<method>`
   * @throws ServiceError
   */
  call(method: string, grant: VideoGrant, read: ReadBody): Message {
    switch (method) {
      case 'CreateRoom':
        return this.#createRoom(grant, read(CreateRoomRequest));
      case 'ListRooms':
        return this.#listRooms(grant, read(ListRoomsRequest));
      case 'DeleteRoom':
        return this.#deleteRoom(grant, read(DeleteRoomRequest));
      case 'ListParticipants': {
        const { room } = read(ListParticipantsRequest);
        requireAdmin(grant, room);
        const participants = [...(this.#rooms.get(room)?.participants.values() ?? [])];
        return new ListParticipantsResponse({ participants: participants.map((one) => one.info()) });
      }
      case 'GetParticipant':
        return this.#find(grant, read(RoomParticipantIdentity)).participant.info();
      case 'RemoveParticipant': {
        const { room, participant } = this.#find(grant, read(RoomParticipantIdentity));
        room.leave(participant, DisconnectReason.PARTICIPANT_REMOVED, { tell: true });
        return new RemoveParticipantResponse();
      }
      case 'MutePublishedTrack':
        return this.#mute(grant, read(MuteRoomTrackRequest));
      case 'UpdateParticipant':
        return this.#updateParticipant(grant, read(UpdateParticipantRequest));
      case 'UpdateSubscriptions': {
        const request = read(UpdateSubscriptionsRequest);
        const { room, participant } = this.#find(grant, request);
        room.wish(participant, subscribed(request), request.subscribe);
        return new UpdateSubscriptionsResponse();
      }
      case 'SendData':
        return this.#sendData(grant, read(SendDataRequest));
      case 'UpdateRoomMetadata': {
        const { room: name, metadata } = read(UpdateRoomMetadataRequest);
        requireAdmin(grant, name);
        requireFit({ metadata });
        const room = this.#rooms.get(name);
        if (!room) throw new ServiceError('not_found', 'requested room does not exist');
        room.setMetadata(metadata);
        return room.info();
      }
      default:
        throw new ServiceError('unimplemented', `${method} is not part of the embedded room server`);
    }
  }

  #createRoom(grant: VideoGrant, request: CreateRoomRequest): Message {
    if (!grant.roomCreate) throw denied();
    if (!request.name || request.name.length > MAX_NAME_CHARACTERS)
      throw new ServiceError('invalid_argument', 'room name is missing or too long');
    requireFit({ metadata: request.metadata });
    return this.#rooms.open(request.name, settingsOf(request)).info();
  }

  #listRooms(grant: VideoGrant, { names }: ListRoomsRequest): Message {
    if (!grant.roomList) throw denied();
    const rooms = this.#rooms.list().filter(({ name }) => names.length === 0 || names.includes(name));
    return new ListRoomsResponse({ rooms: rooms.map((room) => room.info()) });
  }

  #deleteRoom(grant: VideoGrant, { room }: DeleteRoomRequest): Message {
    if (!grant.roomCreate) throw denied();
    if (!this.#rooms.close(room, DisconnectReason.ROOM_DELETED))
      throw new ServiceError('not_found', 'requested room does not exist');
    return new DeleteRoomResponse();
  }

  #mute(grant: VideoGrant, request: MuteRoomTrackRequest): Message {
    const { room, participant } = this.#find(grant, request);
    // Microphones are never opened remotely; also LiveKit's default.
    if (!request.muted) throw new ServiceError('failed_precondition', 'remote unmute not enabled');
    if (!mute(room, participant, request.trackSid, true))
      throw new ServiceError('not_found', 'track is not found');
    participant.tellMuted(request.trackSid, true);
    return new MuteRoomTrackResponse({ track: participant.publications.get(request.trackSid)?.info });
  }

  #updateParticipant(grant: VideoGrant, request: UpdateParticipantRequest): Message {
    const { room, participant } = this.#find(grant, request);
    const attributes = withChanges(participant.attributes, request.attributes);
    requireFit({ name: request.name, metadata: request.metadata, attributes }, participant.kind);
    if (request.name) participant.name = request.name;
    if (request.metadata) participant.metadata = request.metadata;
    participant.attributes = attributes;
    if (request.permission) {
      participant.permissions = permissionsFrom(request.permission, participant.permissions);
      for (const publication of [...participant.publications.values()])
        if (!mayPublish(participant.permissions, publication.info.source)) participant.unpublish(publication);
      room.matchAgain(participant);
    }
    room.broadcast(participant);
    return participant.info();
  }

  #sendData(grant: VideoGrant, request: SendDataRequest): Message {
    requireAdmin(grant, request.room);
    const room = this.#rooms.get(request.room);
    if (!room) throw new ServiceError('not_found', 'requested room does not exist');
    const named = [...room.participants.values()].filter(({ sid }) => request.destinationSids.includes(sid));
    const packet = new DataPacket({
      kind: request.kind,
      destinationIdentities: [...request.destinationIdentities, ...named.map(({ identity }) => identity)],
      value: {
        case: 'user',
        value: new UserPacket({ payload: request.data, topic: request.topic, nonce: request.nonce }),
      },
    });
    room.sendData(packet, request.kind === DataPacket_Kind.LOSSY ? '_lossy' : '_reliable', null);
    return new SendDataResponse();
  }

  #find(
    grant: VideoGrant,
    { room: name, identity }: { room: string; identity: string },
  ): { room: Room; participant: Participant } {
    requireAdmin(grant, name);
    const room = this.#rooms.get(name);
    const participant = room?.participants.get(identity);
    if (!room || !participant) throw new ServiceError('not_found', 'participant does not exist');
    return { room, participant };
  }
}

const denied = () => new ServiceError('unauthenticated', 'permissions denied');

function requireAdmin(grant: VideoGrant, room: string): void {
  if (!grant.roomAdmin || grant.room !== room) throw denied();
}

function requireFit(wanted: Partial<Face>, kind = ParticipantInfo_Kind.STANDARD): void {
  const problem = faceProblem(wanted, kind);
  if (problem) throw new ServiceError('invalid_argument', problem);
}
