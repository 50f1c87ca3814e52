import {
  Codec,
  DataPacket,
  DisconnectReason,
  LeaveRequest_Action,
  type ParticipantInfo,
  ParticipantInfo_State,
  protoInt64,
  Room as RoomInfo,
  RoomUpdate,
  SubscriptionPermissionUpdate,
  TrackSubscribed,
} from '@livekit/protocol';
import type { Publication } from '#server/engines/rooms/embedded/forwarding/publication';
import { Subscription } from '#server/engines/rooms/embedded/forwarding/subscription';
import { newSid } from '#server/engines/rooms/embedded/sids';
import { OpenStreams, poses, speaksForAnother } from './data-rules.ts';
import type { Participant, ParticipantHost } from './participant.ts';
import { RoomPulse } from './pulse.ts';

export interface RoomSettings {
  emptyTimeoutMs: number;
  departureTimeoutMs: number;
  /** 0: no limit. */
  maxParticipants: number;
  metadata: string;
}

interface RoomListener {
  onActive(room: Room, participant: Participant): void;
  onLeft(room: Room, participant: Participant, reason: DisconnectReason): void;
  onTrack(room: Room, participant: Participant, publication: Publication, isPublished: boolean): void;
  /** The room has been empty for as long as its settings allow. */
  onExpired(room: Room): void;
}

/** Time in which a participant may resume on a new socket after losing one. */
const RESUME_MS = 15_000;

export const publishCodecs = () => [new Codec({ mime: 'audio/opus' }), new Codec({ mime: 'video/VP8' })];

/** A room: its participants, their subscriptions, and the messages to everyone. */
export class Room implements ParticipantHost {
  readonly sid = newSid('RM_');
  readonly name: string;
  readonly settings: RoomSettings;
  readonly createdAt = Date.now();
  readonly participants = new Map<string, Participant>();
  readonly #listener: RoomListener;
  readonly #pulse: RoomPulse;
  readonly #streams = new OpenStreams<Participant>();
  readonly #absences = new Map<Participant, NodeJS.Timeout>();
  #expiry: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(name: string, settings: RoomSettings, listener: RoomListener) {
    this.name = name;
    this.settings = settings;
    this.#listener = listener;
    this.#pulse = new RoomPulse(this.participants);
    this.#expireAfter(settings.emptyTimeoutMs);
  }

  get isFull(): boolean {
    const { maxParticipants } = this.settings;
    return maxParticipants > 0 && this.#independent() >= maxParticipants;
  }

  info(): RoomInfo {
    const visible = [...this.participants.values()].filter(({ permissions }) => !permissions.hidden);
    return new RoomInfo({
      sid: this.sid,
      name: this.name,
      emptyTimeout: Math.round(this.settings.emptyTimeoutMs / 1000),
      departureTimeout: Math.round(this.settings.departureTimeoutMs / 1000),
      maxParticipants: this.settings.maxParticipants,
      metadata: this.settings.metadata,
      creationTime: protoInt64.parse(Math.floor(this.createdAt / 1000)),
      creationTimeMs: protoInt64.parse(this.createdAt),
      enabledCodecs: publishCodecs(),
      numParticipants: visible.length,
      numPublishers: visible.filter(({ publications }) => publications.size > 0).length,
    });
  }

  /** The participants that one sees, without themselves. */
  othersOf(participant: Participant): ParticipantInfo[] {
    return [...this.participants.values()]
      .filter((other) => other !== participant && !other.permissions.hidden)
      .map((other) => other.info());
  }

  /** Adds a participant; one with the same identity is removed. */
  join(participant: Participant): void {
    const before = this.participants.get(participant.identity);
    if (before) this.leave(before, DisconnectReason.DUPLICATE_IDENTITY, { tell: true });
    this.participants.set(participant.identity, participant);
    // Agents alone do not keep a room open.
    if (!participant.isDependent) this.#stopExpiry();
    this.#pulse.start();
  }

  /** Called after the new participant was told about the room: tells the others, and starts media. */
  joined(participant: Participant): void {
    this.broadcast(participant, { exceptSelf: true });
    for (const publisher of this.participants.values()) this.#matchAll(participant, publisher);
    this.#pulse.tellSpeakersTo(participant);
  }

  /**
   * Removes a participant and frees everything of theirs.
   * @param options.tell whether to tell them
   * @param options.comeBack whether they should come back at once, as a new participant
   */
  leave(
    participant: Participant,
    reason: DisconnectReason,
    options: { tell?: boolean; comeBack?: boolean } = {},
  ): void {
    if (participant.isGone || this.participants.get(participant.identity) !== participant) return;
    this.returned(participant);
    if (options.tell)
      participant.sendLeave(
        reason,
        options.comeBack ? LeaveRequest_Action.RECONNECT : LeaveRequest_Action.DISCONNECT,
      );
    this.participants.delete(participant.identity);
    for (const publication of participant.publications.values()) {
      this.#withdraw(publication);
      if (publication.isLive) this.#listener.onTrack(this, participant, publication, false);
    }
    this.#streams.forget(participant);
    for (const subscription of participant.subscriptions.values()) subscription.stop();
    participant.subscriptions.clear();
    const wasActive = participant.isActive;
    participant.state = ParticipantInfo_State.DISCONNECTED;
    participant.disconnectReason = reason;
    this.broadcast(participant);
    void participant.close().catch(() => {});
    if (wasActive) this.#listener.onLeft(this, participant, reason);
    if (this.participants.size === 0) this.#pulse.stop();
    if (this.#independent() === 0 && !participant.isDependent && !this.#isClosed)
      this.#expireAfter(wasActive ? this.settings.departureTimeoutMs : this.settings.emptyTimeoutMs);
  }

  /** The socket is gone; media may continue. */
  absent(participant: Participant): void {
    if (participant.isGone || this.#absences.has(participant)) return;
    this.#absences.set(
      participant,
      setTimeout(() => this.leave(participant, DisconnectReason.SIGNAL_CLOSE), RESUME_MS),
    );
  }

  returned(participant: Participant): void {
    clearTimeout(this.#absences.get(participant));
    this.#absences.delete(participant);
  }

  /** Sends a participant's current info to all who may see it. */
  broadcast(participant: Participant, options: { exceptSelf?: boolean } = {}): void {
    participant.touch();
    const update = participant.info();
    for (const other of this.participants.values()) {
      if (other === participant ? options.exceptSelf : participant.permissions.hidden) continue;
      other.sendUpdate([update]);
    }
  }

  setMetadata(metadata: string): void {
    this.settings.metadata = metadata;
    const update = new RoomUpdate({ room: this.info() });
    for (const participant of this.participants.values())
      participant.send({ case: 'roomUpdate', value: update });
  }

  /** @param label the data channel to use */
  sendData(packet: DataPacket, label: '_reliable' | '_lossy', from: Participant | null): void {
    const to = packet.destinationIdentities.length > 0 ? new Set(packet.destinationIdentities) : null;
    const bytes = Buffer.from(packet.toBinary());
    for (const other of this.participants.values())
      if (other !== from && (!to || to.has(other.identity))) other.sendData(label, bytes);
  }

  findPublication(sid: string): { publisher: Participant; publication: Publication } | null {
    for (const publisher of this.participants.values()) {
      const publication = publisher.publications.get(sid);
      if (publication) return { publisher, publication };
    }
    return null;
  }

  /**
   * Subscribes to or unsubscribes from tracks. Unknown track ids are ignored: clients name tracks they were
   * told about.
   */
  wish(subscriber: Participant, trackSids: Iterable<string>, wanted: boolean): void {
    for (const trackSid of trackSids) {
      const found = this.findPublication(trackSid);
      if (!found) continue;
      subscriber.wishes.set(trackSid, wanted);
      this.#match(subscriber, found.publisher, found.publication);
    }
  }

  /** Updates subscriptions after a change of rights. */
  matchAgain(participant: Participant): void {
    for (const other of this.participants.values()) {
      this.#matchAll(participant, other);
      this.#matchAll(other, participant);
    }
  }

  onActive(participant: Participant): void {
    this.broadcast(participant);
    this.#listener.onActive(this, participant);
  }

  onMediaLost(participant: Participant): void {
    // The client rebuilds both connections as a new participant.
    this.leave(participant, DisconnectReason.STATE_MISMATCH, { tell: true, comeBack: true });
  }

  onPublished(publisher: Participant, publication: Publication): void {
    this.broadcast(publisher);
    this.#listener.onTrack(this, publisher, publication, true);
    for (const subscriber of this.participants.values()) this.#match(subscriber, publisher, publication);
  }

  onUnpublished(publisher: Participant, publication: Publication): void {
    this.#withdraw(publication);
    this.broadcast(publisher);
    if (publication.isLive) this.#listener.onTrack(this, publisher, publication, false);
  }

  onData(participant: Participant, label: string, bytes: Buffer): void {
    if (!participant.permissions.canPublishData || (label !== '_reliable' && label !== '_lossy')) return;
    let packet: DataPacket;
    try {
      packet = DataPacket.fromBinary(bytes);
    } catch {
      return;
    }
    if (!participant.dataBudgets.take(packet.value, bytes.length)) return;
    if (packet.sequence > 0) {
      // A repeat after a resume: the client did not know that it had arrived.
      if (packet.sequence <= participant.lastSequence) return;
      participant.lastSequence = packet.sequence;
    }
    if (poses(participant, packet) || !this.#streams.follow(participant, packet)) return;
    packet.participantSid = participant.sid;
    if (!speaksForAnother(participant, packet)) packet.participantIdentity = participant.identity;
    if (packet.value.case === 'user') {
      packet.value.value.participantSid = participant.sid;
      packet.value.value.participantIdentity = participant.identity;
    }
    this.sendData(packet, label, participant);
  }

  /** @param reason why the remaining participants have to leave */
  close(reason: DisconnectReason, options: { comeBack?: boolean } = {}): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const participant of [...this.participants.values()])
      this.leave(participant, reason, { tell: true, ...options });
    this.#stopExpiry();
    this.#pulse.stop();
  }

  /** Brings a subscription in line with the subscriber's wishes and rights. */
  #match(subscriber: Participant, publisher: Participant, publication: Publication): void {
    if (subscriber === publisher || subscriber.isGone || publisher.isGone) return;
    const { sid } = publication.info;
    const current = subscriber.subscriptions.get(sid);
    const wanted =
      publication.isLive &&
      subscriber.permissions.canSubscribe &&
      !publisher.permissions.hidden &&
      (subscriber.wishes.get(sid) ?? subscriber.autoSubscribe);
    const allowed = publisher.audience?.(subscriber.identity, subscriber.sid, sid) ?? true;
    if (wanted && allowed && !current) {
      const subscription = new Subscription(publication, publisher.sid, subscriber.downlink.transport);
      subscriber.subscriptions.set(sid, subscription);
      subscriber.downlink.place(subscription);
      if (!publication.wasWanted)
        publisher.send({ case: 'trackSubscribed', value: new TrackSubscribed({ trackSid: sid }) });
      publication.wasWanted = true;
    } else if (current && !(wanted && allowed)) this.#end(subscriber, current);
  }

  #matchAll(subscriber: Participant, publisher: Participant): void {
    for (const publication of publisher.publications.values())
      this.#match(subscriber, publisher, publication);
  }

  /** Tells a subscriber that a publisher grants or withdraws a track. */
  tellAllowed(subscriber: Participant, publisherSid: string, trackSid: string, allowed: boolean): void {
    subscriber.send({
      case: 'subscriptionPermissionUpdate',
      value: new SubscriptionPermissionUpdate({ participantSid: publisherSid, trackSid, allowed }),
    });
  }

  #withdraw(publication: Publication): void {
    for (const subscriber of this.participants.values()) {
      const subscription = subscriber.subscriptions.get(publication.info.sid);
      if (subscription) this.#end(subscriber, subscription);
      subscriber.wishes.delete(publication.info.sid);
    }
  }

  #end(subscriber: Participant, subscription: Subscription): void {
    subscriber.subscriptions.delete(subscription.publication.info.sid);
    subscriber.downlink.release(subscription);
  }

  #independent(): number {
    return [...this.participants.values()].filter(({ isDependent }) => !isDependent).length;
  }

  #expireAfter(ms: number): void {
    this.#stopExpiry();
    this.#expiry = setTimeout(() => this.#listener.onExpired(this), ms);
  }

  #stopExpiry(): void {
    if (this.#expiry) clearTimeout(this.#expiry);
    this.#expiry = null;
  }
}
