import type { Server as HttpServer } from 'node:http';
import type { EngineStatus } from '#shared/status';
import type { RoomKeys } from './keys.ts';

/** What a token lets its holder do in one room. Everything that is left out is allowed, but `hidden` and `canUpdateOwnMetadata`. */
export interface RoomGrant {
  room: string;
  /** Unique in a room: a second one with it takes the place of the first. */
  identity: string;
  name: string;
  /** `agent`: one of the product's own voices, shown as such. */
  kind?: 'standard' | 'agent';
  metadata?: string;
  attributes?: Record<string, string>;
  /** How long the token opens the door; who is inside stays. In milliseconds. */
  ttlMs: number;
  canPublish?: boolean;
  canSubscribe?: boolean;
  /** Of what `canPublish` allows, a microphone alone. */
  microphoneOnly?: boolean;
  canPublishData?: boolean;
  canUpdateOwnMetadata?: boolean;
  /** Nobody sees this participant. */
  hidden?: boolean;
}

export interface RoomOptions {
  /** How long a room stays without anybody having come. In milliseconds; default 5 minutes. */
  emptyTimeoutMs?: number;
  /** How long a room stays after the last person has left. In milliseconds; default 20 s. */
  departureTimeoutMs?: number;
  /** 0 or nothing: no limit. */
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
  /** Present media: `joining` until its first connection stands. */
  state: 'joining' | 'active';
  permissions: { canPublish: boolean; canSubscribe: boolean; canPublishData: boolean; hidden: boolean };
  tracks: { sid: string; kind: 'audio' | 'video'; muted: boolean }[];
}

/** Why somebody left, as far as a room's owner may want to tell. */
export type LeaveReason =
  | 'left'
  | 'lost'
  | 'replaced'
  | 'removed'
  | 'room-deleted'
  | 'server-closing'
  | 'other';

/** Whether somebody may come into a room as who their token says they are. */
export type MayEnter = (
  room: string,
  participant: Pick<RoomParticipant, 'identity' | 'metadata'>,
) => Promise<boolean>;

/** What happens in rooms. `roomSid` is new whenever a room of that name begins anew. */
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
 * Voice rooms: the embedded server, or a LiveKit server or cluster. Both speak LiveKit's protocol, so a browser uses
 * `livekit-client` and a participant of our own `@livekit/rtc-node` with either, unchanged.
 * Methods reject with an EngineError (`retryable` says whether trying again can help).
 */
export interface RoomsEngine {
  readonly name: string;
  readonly kind: 'embedded' | 'livekit';
  status(): EngineStatus;
  /** Resolves when rooms can be used (or cannot, see `status()`); never rejects. */
  readonly ready: Promise<void>;
  /**
   * The address a browser uses.
   * Embedded: the request's own host and scheme, since rooms share the product's port. LiveKit: its own address.
   * @param request.host the Host header, as `care.example.com:3000`
   * @param request.secure whether the browser came over https
   */
  wsUrl(request: { host: string; secure: boolean }): string;
  /** The address for participants in this process. Embedded: known once `ready` has resolved. */
  readonly internalUrl: string;
  token(grant: RoomGrant): Promise<string>;
  /** Makes a room, or changes these settings of the one that is there. */
  createRoom(name: string, options?: RoomOptions): Promise<void>;
  /** Everybody in a room, hidden ones too; empty when there is no such room. */
  listParticipants(room: string): Promise<RoomParticipant[]>;
  /** Puts somebody out. Nobody there is fine. Embedded: the tokens they hold open that room no more. */
  removeParticipant(room: string, identity: string): Promise<void>;
  /** Mutes or unmutes a track for everybody. */
  muteTrack(room: string, identity: string, trackSid: string, muted: boolean): Promise<void>;
  /** Ends a room and puts everybody out. No such room is fine. */
  deleteRoom(name: string): Promise<void>;
  /**
   * Tells what happens in every room, in the order in which it happened.
   * Embedded: at once. LiveKit: through `receiveWebhook`.
   * @returns stops telling
   */
  onEvent(listener: (event: RoomEvent) => void): () => void;
  /**
   * Embedded only: asks this before somebody comes in with a token, and before a token is renewed. Whoever is inside comes back
   * unasked. Until then a token alone opens the door; while it rejects, or takes too long, nobody new comes in.
   */
  askAtTheDoor?(mayEnter: MayEnter): void;
  /**
   * LiveKit only: takes the body that LiveKit posted, if its signature is right.
   * @param authorization the Authorization header
   * @returns whether it was LiveKit's
   */
  receiveWebhook?(body: string, authorization: string | undefined): Promise<boolean>;
  /** LiveKit only: asks by these keys from now on. What LiveKit signed with those of before is believed for a while yet. */
  takeKeys?(keys: RoomKeys): void;
  /**
   * Embedded only: hands the room server's paths (`/rtc*`, `/twirp/*`) of an HTTP server over to it, requests and
   * upgrades alike. Called after every other listener has been added.
   * @param isAllowedOrigin whether a browser's page of this origin may come in, by the Host header it names
   * @param headers sent with every upgrade that is refused
   * @returns takes them back and ends their connections
   */
  attach?(
    server: HttpServer,
    isAllowedOrigin: (origin: string, host: string | undefined) => boolean,
    headers?: Readonly<Record<string, string>>,
  ): () => void;
  /** Everybody in embedded rooms is sent away in a way that makes them come back. */
  close(): Promise<void>;
}
