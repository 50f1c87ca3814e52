import {
  type AddTrackRequest,
  type ClientInfo,
  type DisconnectReason,
  LeaveRequest,
  LeaveRequest_Action,
  MediaSectionsRequirement,
  MuteTrackRequest,
  ParticipantInfo,
  ParticipantInfo_Kind,
  ParticipantInfo_State,
  ParticipantUpdate,
  protoInt64,
  type SessionDescription,
  SignalResponse,
  TrackInfo,
  TrackPublishedResponse,
  TrackSource,
  TrackType,
  TrackUnpublishedResponse,
} from '@livekit/protocol';
import { Publication } from '#server/engines/rooms/embedded/forwarding/publication';
import type { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import type { RemoteSection } from '#server/engines/rooms/embedded/media/sdp';
import type { UdpPorts } from '#server/engines/rooms/embedded/media/udp-ports';
import { newSid } from '#server/engines/rooms/embedded/sids';
import { DataBudgets } from './data-budgets.ts';
import type { Downlink } from './downlink.ts';
import { type Face, MAX_LISTED } from './limits.ts';
import { type Permissions, toMessage } from './permissions.ts';
import { PublisherConnection } from './publisher-connection.ts';
import { SignalBudgets } from './signal-budgets.ts';
import { SubscriberConnection } from './subscriber-connection.ts';

/** The socket of a participant's messages; it may be cut and replaced. */
export interface SignalSocket {
  send(bytes: Uint8Array): void;
  close(code: number, reason: string): void;
}

/** Events from a participant to its room. */
export interface ParticipantHost {
  /** Media flows: the participant has arrived. */
  onActive(participant: Participant): void;
  /** The media connection is lost for good. */
  onMediaLost(participant: Participant): void;
  onPublished(participant: Participant, publication: Publication): void;
  onUnpublished(participant: Participant, publication: Publication): void;
  onData(participant: Participant, label: string, bytes: Buffer): void;
}

interface ParticipantOptions {
  identity: string;
  face: Face;
  kind: ParticipantInfo_Kind;
  permissions: Permissions;
  /** One connection for both directions, with offers from the client (`/rtc/v1`). */
  isSinglePeer: boolean;
  autoSubscribe: boolean;
  client: ClientInfo;
  udp: UdpPorts;
  host: ParticipantHost;
}

/** Most tracks of one person at once. */
export const MAX_TRACKS = 32;

/** A participant in a room: identity, what they publish and receive, and their connections. */
export class Participant {
  readonly sid = newSid('PA_');
  readonly identity: string;
  readonly kind: ParticipantInfo_Kind;
  readonly isSinglePeer: boolean;
  readonly autoSubscribe: boolean;
  /**
   * Whether the client learns of its arrival on the receiving connection; otherwise on the publishing one.
   */
  readonly isSubscriberPrimary: boolean;
  readonly joinedAt = Date.now();
  name: string;
  metadata: string;
  attributes: Record<string, string>;
  permissions: Permissions;
  state = ParticipantInfo_State.JOINED;
  disconnectReason: DisconnectReason | null = null;
  readonly publications = new Map<string, Publication>();
  readonly subscriptions = new Map<string, Subscription>();
  /** Tracks that the client requested or refused explicitly; others follow `autoSubscribe`. */
  readonly wishes = new Map<string, boolean>();
  /** Who may receive this participant's tracks; null: everyone. */
  audience: ((identity: string, sid: string, trackSid: string) => boolean) | null = null;
  /** Loudness of each audio packet since the last check of speakers, as -dBov. */
  readonly levels: number[] = [];
  /** Highest number of a reliable message that arrived. */
  lastSequence = 0;
  readonly dataBudgets = new DataBudgets();
  readonly signalBudgets = new SignalBudgets();
  /** What others are told about its client program. */
  readonly #client: Pick<ClientInfo, 'clientProtocol' | 'capabilities'>;
  readonly #udp: UdpPorts;
  readonly #host: ParticipantHost;
  readonly #announced: Publication[] = [];
  #version = 0;
  #socket: SignalSocket | null = null;
  #publisher: PublisherConnection | null = null;
  #subscriber: SubscriberConnection | null = null;
  #isGone = false;

  constructor(options: ParticipantOptions) {
    this.identity = options.identity;
    this.name = options.face.name;
    this.metadata = options.face.metadata;
    this.attributes = options.face.attributes;
    this.kind = options.kind;
    this.permissions = options.permissions;
    this.isSinglePeer = options.isSinglePeer;
    this.autoSubscribe = options.autoSubscribe;
    this.isSubscriberPrimary = !options.isSinglePeer && options.permissions.canSubscribe;
    const { clientProtocol, capabilities } = options.client;
    this.#client = { clientProtocol, capabilities: [...new Set(capabilities)].slice(0, MAX_LISTED) };
    this.#udp = options.udp;
    this.#host = options.host;
  }

  get isGone(): boolean {
    return this.#isGone;
  }

  get isActive(): boolean {
    return this.state === ParticipantInfo_State.ACTIVE;
  }

  /** Agents and recorders do not keep a room open. */
  get isDependent(): boolean {
    return this.kind === ParticipantInfo_Kind.AGENT || this.kind === ParticipantInfo_Kind.EGRESS;
  }

  get socket(): SignalSocket | null {
    return this.#socket;
  }

  get downlink(): Downlink {
    return this.isSinglePeer ? this.publisher : this.subscriber;
  }

  get publisher(): PublisherConnection {
    this.#publisher ??= new PublisherConnection(this.#udp, {
      sid: this.sid,
      claim: (section) => this.#claim(section),
      isAnnounced: (trackId) => this.#announced.some(({ clientId }) => clientId === trackId),
      onPublished: (publication) => this.#published(publication),
      onUnpublished: (publication) => this.unpublish(publication),
      onConnected: () => {
        if (!this.isSubscriberPrimary) this.#activate();
      },
      onLost: () => this.#mediaLost(),
      onData: (label, bytes) => this.#host.onData(this, label, bytes),
      requireSections: ({ audios, videos }) =>
        this.send({
          case: 'mediaSectionsRequirement',
          value: new MediaSectionsRequirement({ numAudios: audios, numVideos: videos }),
        }),
    });
    return this.#publisher;
  }

  get subscriber(): SubscriberConnection {
    this.#subscriber ??= new SubscriberConnection(this.#udp, {
      sid: this.sid,
      sendOffer: (offer) => this.send({ case: 'offer', value: offer }),
      onConnected: () => {
        if (this.isSubscriberPrimary) this.#activate();
      },
      onLost: () => this.#mediaLost(),
      onStalled: () => {
        // Without a socket there is no way to answer; resuming makes a new offer.
        if (this.#socket) this.#mediaLost();
      },
    });
    return this.#subscriber;
  }

  attach(socket: SignalSocket): void {
    this.#socket?.close(1000, 'replaced by a newer connection');
    this.#socket = socket;
  }

  /** @returns whether it was this participant's socket */
  detach(socket: SignalSocket): boolean {
    if (this.#socket !== socket) return false;
    this.#socket = null;
    return true;
  }

  send(message: SignalResponse['message']): void {
    this.#socket?.send(new SignalResponse({ message }).toBinary());
  }

  answer(offer: SessionDescription): void {
    const { publisher } = this;
    const answer = publisher.answer(offer);
    this.send({ case: 'answer', value: answer });
    publisher.answered();
  }

  /** After a socket was replaced: repeats messages that may have been lost with the old one. */
  resumed(): void {
    this.#publisher?.resumed();
    this.#subscriber?.negotiate({ iceRestart: true });
  }

  sendData(label: string, bytes: Buffer): boolean {
    return !this.#isGone && this.downlink.transport.data.send(label, bytes);
  }

  /**
   * @returns the announced publication; null if there are too many tracks or this one was announced before
   */
  announce(request: AddTrackRequest): Publication | null {
    if (this.publications.size >= MAX_TRACKS) return null;
    if ([...this.publications.values()].some(({ clientId }) => clientId === request.cid)) return null;
    const isAudio = request.type === TrackType.AUDIO;
    const mimeType = isAudio ? 'audio/opus' : 'video/VP8';
    const publication = new Publication({
      info: new TrackInfo({
        sid: newSid(isAudio ? audioPrefix(request.source) : videoPrefix(request.source)),
        type: request.type,
        name: request.name,
        muted: request.muted,
        width: request.width,
        height: request.height,
        source: request.source,
        layers: request.layers,
        mimeType,
        codecs: [{ mimeType, cid: request.cid, layers: request.layers }],
        stereo: request.stereo,
        disableDtx: request.disableDtx,
        // Redundant audio is not forwarded.
        disableRed: true,
        encryption: request.encryption,
        stream: request.stream,
        audioFeatures: request.audioFeatures,
        packetTrailerFeatures: request.packetTrailerFeatures,
      }),
      clientId: request.cid,
      kind: isAudio ? 'audio' : 'video',
      send: (packets) => this.#publisher?.transport.sendRtcp(packets),
      onLevel: (level) => this.levels.push(level),
    });
    this.publications.set(publication.info.sid, publication);
    this.#announced.push(publication);
    this.send({
      case: 'trackPublished',
      value: new TrackPublishedResponse({ cid: request.cid, track: publication.info }),
    });
    this.#publisher?.claimLate();
    return publication;
  }

  unpublish(publication: Publication): void {
    const { sid } = publication.info;
    if (!this.publications.delete(sid)) return;
    const announced = this.#announced.indexOf(publication);
    if (announced >= 0) this.#announced.splice(announced, 1);
    this.send({ case: 'trackUnpublished', value: new TrackUnpublishedResponse({ trackSid: sid }) });
    this.#host.onUnpublished(this, publication);
    publication.close();
  }

  /** The participant as others see it. Every change raises its version. */
  info(): ParticipantInfo {
    const live = [...this.publications.values()].filter(({ isLive }) => isLive);
    return new ParticipantInfo({
      sid: this.sid,
      identity: this.identity,
      name: this.name,
      state: this.state,
      tracks: live.map(({ info }) => info),
      metadata: this.metadata,
      attributes: this.attributes,
      joinedAt: protoInt64.parse(Math.floor(this.joinedAt / 1000)),
      joinedAtMs: protoInt64.parse(this.joinedAt),
      version: this.#version,
      permission: toMessage(this.permissions),
      isPublisher: live.length > 0,
      kind: this.kind,
      clientProtocol: this.#client.clientProtocol,
      capabilities: this.#client.capabilities,
      ...(this.disconnectReason === null ? {} : { disconnectReason: this.disconnectReason }),
    });
  }

  /** Raises the version of the next info. */
  touch(): void {
    this.#version++;
  }

  sendUpdate(participants: ParticipantInfo[]): void {
    if (participants.length > 0)
      this.send({ case: 'update', value: new ParticipantUpdate({ participants }) });
  }

  /** Asks the client to mute or unmute its own track. */
  tellMuted(trackSid: string, muted: boolean): void {
    this.send({ case: 'mute', value: new MuteTrackRequest({ sid: trackSid, muted }) });
  }

  /** Tells the client to leave, or to come back as a new participant. */
  sendLeave(reason: DisconnectReason, action = LeaveRequest_Action.DISCONNECT): void {
    this.send({
      case: 'leave',
      value: new LeaveRequest({ reason, action, canReconnect: action !== LeaveRequest_Action.DISCONNECT }),
    });
  }

  /** Frees everything. The socket closes once its last messages were sent. */
  async close(): Promise<void> {
    this.#isGone = true;
    for (const publication of this.publications.values()) publication.close();
    this.#socket?.close(1000, 'left the room');
    this.#socket = null;
    await Promise.all([this.#publisher?.close(), this.#subscriber?.close()]);
  }

  #claim(section: RemoteSection): Publication | null {
    const exact = this.#announced.findIndex(({ clientId }) => clientId === section.trackId);
    // Some clients use a different track id in the section.
    const at = exact >= 0 ? exact : this.#announced.findIndex(({ kind }) => kind === section.kind);
    return this.#announced.splice(at, at < 0 ? 0 : 1)[0] ?? null;
  }

  #published(publication: Publication): void {
    // It may have been unpublished while its offer was answered.
    if (this.#isGone || publication.isLive || !this.publications.has(publication.info.sid)) return;
    publication.isLive = true;
    this.#host.onPublished(this, publication);
  }

  #activate(): void {
    if (this.#isGone || this.isActive) return;
    this.state = ParticipantInfo_State.ACTIVE;
    this.#host.onActive(this);
  }

  #mediaLost(): void {
    if (!this.#isGone) this.#host.onMediaLost(this);
  }
}

const audioPrefix = (source: TrackSource) =>
  source === TrackSource.SCREEN_SHARE_AUDIO ? 'TR_SA' : source === TrackSource.MICROPHONE ? 'TR_AM' : 'TR_A';
const videoPrefix = (source: TrackSource) =>
  source === TrackSource.SCREEN_SHARE ? 'TR_VS' : source === TrackSource.CAMERA ? 'TR_VC' : 'TR_V';
