import type { Server as HttpServer } from 'node:http';
import type { EngineStatus } from '#shared/status';
import type { RoomKeys } from './keys.ts';

/**
 * Rights of a token's holder in one room. Omitted rights are granted, except `hidden` and
 * `canUpdateOwnMetadata`.
 */
export interface RoomGrant {
  room: string;
  /** Unique in a room: a second participant with it replaces the first. */
  identity: string;
  name: string;
  /** `agent`: one of the product's own voices, shown as such. */
  kind?: 'standard' | 'agent';
  metadata?: string;
  attributes?: Record<string, string>;
  /** How long the token can be used to enter, in milliseconds; it does not end a stay. */
  ttlMs: number;
  canPublish?: boolean;
  canSubscribe?: boolean;
  /** Restricts `canPublish` to the microphone. */
  microphoneOnly?: boolean;
  canPublishData?: boolean;
  canUpdateOwnMetadata?: boolean;
  /** Invisible to other participants. */
  hidden?: boolean;
}

export interface RoomOptions {
  /** How long a room stays before anyone has joined, in milliseconds; default 5 minutes. */
  emptyTimeoutMs?: number;
  /** How long a room stays after the last person has left, in milliseconds; default 20 s. */
  departureTimeoutMs?: number;
  /** 0 or absent: no limit. */
  maxParticipants?: number;
  metadata?: string;
}

export interface RoomParticipant {
  sid: string;
  identity: string;
  name: string;
  kind: 'standard' | 'agent' | 'other';
  metadata: string;
  joinedAt: Date;
  /** State of the media: `joining` until the first connection is established. */
  state: 'joining' | 'active';
  permissions: { canPublish: boolean; canSubscribe: boolean; canPublishData: boolean; hidden: boolean };
  tracks: { sid: string; kind: 'audio' | 'video'; muted: boolean }[];
}

/** Why a participant left, as far as a room's owner may need it. */
export type LeaveReason =
  | 'left'
  | 'lost'
  | 'replaced'
  | 'removed'
  | 'room-deleted'
  | 'server-closing'
  | 'other';

/** Whether the holder of a token may enter the room now. */
export type MayEnter = (
  room: string,
  participant: Pick<RoomParticipant, 'identity' | 'metadata'>,
) => Promise<boolean>;

/** Events in rooms. `roomSid` is new each time a room of that name begins. */
export type RoomEvent =
  | { type: 'room_started'; room: string; roomSid: string }
  | { type: 'participant_joined'; room: string; roomSid: string; participant: RoomParticipant }
  | {
      type: 'participant_left';
      room: string;
      roomSid: string;
      participant: RoomParticipant;
      reason: LeaveReason;
    }
  | {
      type: 'track_published' | 'track_unpublished';
      room: string;
      roomSid: string;
      identity: string;
      trackSid: string;
      kind: 'audio' | 'video';
    }
  | { type: 'room_finished'; room: string; roomSid: string };

/**
 * Voice rooms: the embedded server, or a LiveKit server or cluster. Both speak LiveKit's protocol, so
 * browsers use `livekit-client` and our own participant `@livekit/rtc-node` with either, unchanged. Methods
 * reject with an EngineError (`retryable` says whether a later try can help).
 */
export interface RoomsEngine {
  readonly name: string;
  readonly kind: 'embedded' | 'livekit';
  status(): EngineStatus;
  /** Resolves when rooms can be used, or have failed (see `status()`); never rejects. */
  readonly ready: Promise<void>;
  /**
   * The address for a browser. Embedded: the request's own host and scheme, since rooms share the product's
   * port. LiveKit: the server's own address.
   * @param request.host the Host header, as `care.example.com:3000`
   * @param request.secure whether the browser came over https
   */
  wsUrl(request: { host: string; secure: boolean }): string;
  /** The address for participants in this process. Embedded: known once `ready` has resolved. */
  readonly internalUrl: string;
  token(grant: RoomGrant): Promise<string>;
  /** Creates a room, or changes the settings of an existing one. */
  createRoom(name: string, options?: RoomOptions): Promise<void>;
  /** All participants in a room, hidden ones included; empty if there is no such room. */
  listParticipants(room: string): Promise<RoomParticipant[]>;
  /** Removes a participant, if present. Embedded: tokens they hold no longer open that room. */
  removeParticipant(room: string, identity: string): Promise<void>;
  /** Mutes or unmutes a track for all listeners. */
  muteTrack(room: string, identity: string, trackSid: string, muted: boolean): Promise<void>;
  /** Ends a room, if it exists, and removes everyone in it. */
  deleteRoom(name: string): Promise<void>;
  /**
   * Subscribes to the events of all rooms, in order. Embedded: at once. LiveKit: through `receiveWebhook`.
   * @returns unsubscribes
   */
  onEvent(listener: (event: RoomEvent) => void): () => void;
  /**
   * Embedded only: asks this before a participant enters with a token, and before a token is renewed. A
   * participant who is inside may return without being asked about. Until this is set, a token alone
   * suffices; while it rejects or takes too long, nobody new can enter.
   */
  askAtTheDoor?(mayEnter: MayEnter): void;
  /**
   * LiveKit only: accepts a webhook body if its signature is right.
   * @param authorization the Authorization header
   * @returns whether LiveKit sent it
   */
  receiveWebhook?(body: string, authorization: string | undefined): Promise<boolean>;
  /**
   * LiveKit only: uses these keys from now on. Webhooks signed with the previous keys are accepted for a
   * while.
   */
  takeKeys?(keys: RoomKeys): void;
  /**
   * Embedded only: routes the room server's paths (`/rtc*`, `/twirp/*`) of an HTTP server to it, requests and
   * upgrades. Call it after all other listeners were added.
   * @param isAllowedOrigin whether a page of this origin may connect, given the Host header
   * @param headers sent with every refused upgrade
   * @returns removes the routes and ends their connections
   */
  attach?(
    server: HttpServer,
    isAllowedOrigin: (origin: string, host: string | undefined) => boolean,
    headers?: Readonly<Record<string, string>>,
  ): () => void;
  /** Sends all participants of embedded rooms away so that they reconnect. */
  close(): Promise<void>;
}
