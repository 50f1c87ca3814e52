import {
  DisconnectReason,
  JoinResponse,
  LeaveRequest,
  LeaveRequest_Action,
  ReconnectResponse,
  RoomUpdate,
  ServerInfo,
  ServerInfo_Edition,
  SignalRequest,
  SignalResponse,
} from '@livekit/protocol';
import type { ClaimGrants, VideoGrant } from 'livekit-server-sdk';
import type { MayEnter } from '#server/engines/rooms/contract';
import type { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { DoorUnanswered } from './door.ts';
import type { Arrival } from './join-request.ts';
import type { Face } from './limits.ts';
import { MAX_TRACKS, Participant, type SignalSocket } from './participant.ts';
import { kindOf, permissionsOf } from './permissions.ts';
import { handleRequest } from './requests.ts';
import { publishCodecs, type Room } from './room.ts';
import { settingsOf } from './room-settings.ts';
import type { Rooms } from './rooms.ts';
import { REFRESH_MS, type Tokens } from './tokens.ts';

const PING_INTERVAL_S = 5;
const PING_TIMEOUT_S = 15;
/** Clients ping every 5 s; one that is silent for this long has lost its network. */
const SILENT_MS = 20_000;
/** The LiveKit version whose behaviour is followed; clients derive available features from it. */
const serverVersion = '1.9.11';
const serverInfo = () =>
  new ServerInfo({
    edition: ServerInfo_Edition.Standard,
    version: serverVersion,
    protocol: 17,
    agentProtocol: 1,
    nodeId: 'ND_embedded',
  });

export interface SessionOptions {
  rooms: Rooms;
  udp: UdpPorts;
  tokens: Tokens;
  /**
   * Asked before a participant enters and before a token is renewed. Rejects with DoorUnanswered without an
   * answer.
   */
  mayEnter: MayEnter;
  /** Called with unexpected errors. */
  onFailure(error: unknown): void;
}

/** An admitted participant, their rights, and their request. */
export interface Admission {
  claims: ClaimGrants & { video: VideoGrant };
  face: Face;
  arrival: Arrival;
}

/** Receives a socket's messages. */
interface Session {
  onMessage(bytes: Uint8Array): void;
  onClose(): void;
}

/** Admits a participant to the room of their token, or resumes them, over a new socket. */
export function openSession(
  socket: SignalSocket,
  { claims, face, arrival }: Admission,
  options: SessionOptions,
): Session | null {
  const name = claims.video.room ?? '';
  const identity = claims.sub ?? '';
  if (arrival.reconnects) {
    const room = options.rooms.get(name);
    const participant = room?.participants.get(identity);
    if (!room || !participant || participant.sid !== arrival.sid) {
      turnAway(socket, DisconnectReason.STATE_MISMATCH, LeaveRequest_Action.RECONNECT);
      return null;
    }
    resume(socket, room, participant);
    return converse(socket, room, participant, claims, options);
  }

  const room = options.rooms.open(name, options.rooms.get(name) ? {} : settingsOf(claims.roomConfig));
  const participant = new Participant({
    identity,
    face,
    kind: kindOf(claims),
    permissions: permissionsOf(claims.video),
    isSinglePeer: arrival.isSinglePeer,
    autoSubscribe: arrival.autoSubscribe,
    client: arrival.client,
    udp: options.udp,
    host: room,
  });
  if (room.isFull && !room.participants.has(identity) && !participant.isDependent) {
    turnAway(socket, DisconnectReason.JOIN_FAILURE, LeaveRequest_Action.DISCONNECT);
    return null;
  }
  participant.attach(socket);
  room.join(participant);
  participant.send({ case: 'join', value: joinResponse(room, participant) });
  const session = converse(socket, room, participant, claims, options);
  for (const request of arrival.join?.addTrackRequests.slice(0, MAX_TRACKS) ?? [])
    handleRequest(room, participant, { case: 'addTrack', value: request });
  const offer = arrival.join?.publisherOffer;
  if (offer) handleOrRestart(room, participant, { case: 'offer', value: offer }, options);
  if (!participant.isGone && participant.isSubscriberPrimary) participant.subscriber.negotiate();
  if (!participant.isGone) room.joined(participant);
  return session;
}

function joinResponse(room: Room, participant: Participant): JoinResponse {
  participant.touch();
  return new JoinResponse({
    room: room.info(),
    participant: participant.info(),
    otherParticipants: room.othersOf(participant),
    serverVersion,
    serverInfo: serverInfo(),
    iceServers: [],
    subscriberPrimary: participant.isSubscriberPrimary,
    pingInterval: PING_INTERVAL_S,
    pingTimeout: PING_TIMEOUT_S,
    enabledPublishCodecs: publishCodecs(),
    fastPublish: participant.permissions.canPublish,
  });
}

function resume(socket: SignalSocket, room: Room, participant: Participant): void {
  participant.attach(socket);
  room.returned(participant);
  participant.send({
    case: 'reconnect',
    value: new ReconnectResponse({
      iceServers: [],
      serverInfo: serverInfo(),
      lastMessageSeq: participant.lastSequence,
    }),
  });
  participant.sendUpdate([...room.othersOf(participant), participant.info()]);
  participant.send({ case: 'roomUpdate', value: new RoomUpdate({ room: room.info() }) });
  participant.resumed();
}

/** Tells the client not to connect, or to connect anew. */
function turnAway(socket: SignalSocket, reason: DisconnectReason, action: LeaveRequest_Action): void {
  const leave = new LeaveRequest({ reason, action, canReconnect: action !== LeaveRequest_Action.DISCONNECT });
  socket.send(new SignalResponse({ message: { case: 'leave', value: leave } }).toBinary());
  socket.close(1000, 'see the message before');
}

/** Handles a participant's messages from one socket, as long as it is theirs. */
function converse(
  socket: SignalSocket,
  room: Room,
  participant: Participant,
  claims: ClaimGrants,
  options: SessionOptions,
): Session {
  let lastMessageAt = Date.now();
  let isRefused = false;
  const refuse = (code: number, reason: string) => {
    isRefused = true;
    socket.close(code, reason);
  };
  const watching = setInterval(() => {
    if (Date.now() - lastMessageAt > SILENT_MS) socket.close(4000, 'no sign of life');
  }, 5_000);
  const renew = async () => {
    try {
      // Without renewal the token expires: the participant stays, but cannot return with it.
      if (!(await options.mayEnter(room.name, participant))) return;
      const token = await options.tokens.renewed(room, participant, claims.kind);
      participant.send({ case: 'refreshToken', value: token });
    } catch (error) {
      if (!(error instanceof DoorUnanswered)) options.onFailure(error);
    }
  };
  const renewing = setInterval(() => void renew(), REFRESH_MS);
  return {
    onMessage(bytes) {
      lastMessageAt = Date.now();
      if (isRefused || participant.isGone || participant.socket !== socket) return;
      let request: SignalRequest;
      try {
        request = SignalRequest.fromBinary(bytes);
      } catch {
        refuse(1007, 'not a signal request');
        return;
      }
      if (!participant.signalBudgets.take(request.message.case, bytes.length)) {
        refuse(1008, 'too many messages');
        return;
      }
      handleOrRestart(room, participant, request.message, options);
    },
    onClose() {
      clearInterval(watching);
      clearInterval(renewing);
      if (participant.detach(socket)) room.absent(participant);
    },
  };
}

function handleOrRestart(
  room: Room,
  participant: Participant,
  message: SignalRequest['message'],
  options: SessionOptions,
): void {
  let complaint: string | null;
  try {
    complaint = handleRequest(room, participant, message);
  } catch (error) {
    options.onFailure(error);
    complaint = 'This server could not do that.';
  }
  if (complaint !== null)
    room.leave(participant, DisconnectReason.STATE_MISMATCH, { tell: true, comeBack: true });
}
