import {
  DisconnectReason,
  Pong,
  protoInt64,
  RequestResponse,
  RequestResponse_Reason,
  type SignalRequest,
  type SubscriptionPermission,
  type TrackPermission,
  type UpdateParticipantMetadata,
} from '@livekit/protocol';
import { BadDescription } from '#server/engines/rooms/embedded/media/sdp';
import { faceProblem, MAX_LISTED, MAX_TRACK_BYTES } from './limits.ts';
import type { Participant } from './participant.ts';
import { mayPublish } from './permissions.ts';
import type { Room } from './room.ts';

type Message = SignalRequest['message'];
type Refusal = { reason: RequestResponse_Reason; message: string };

/**
 * Carries out a client's request.
 * @returns a sentence if the request makes no sense and the client should reconnect; otherwise null
 */
export function handleRequest(room: Room, participant: Participant, message: Message): string | null {
  switch (message.case) {
    case 'offer':
      return negotiated(() => participant.answer(message.value));
    case 'answer':
      return negotiated(() => participant.subscriber.answered(message.value));
    case 'addTrack':
      announce(participant, message);
      return null;
    case 'mute':
      mute(room, participant, message.value.sid, message.value.muted);
      return null;
    case 'subscription':
      room.wish(participant, subscribed(message.value), message.value.subscribe);
      return null;
    case 'trackSetting':
      for (const sid of message.value.trackSids) {
        const subscription = participant.subscriptions.get(sid);
        if (subscription?.publication.kind === 'video') subscription.isPaused = message.value.disabled;
      }
      return null;
    case 'subscriptionPermission':
      limitAudience(room, participant, message.value);
      return null;
    case 'updateMetadata':
      updateOwn(room, participant, message.value);
      return null;
    case 'updateAudioTrack': {
      const publication = participant.publications.get(message.value.trackSid);
      if (!publication) return null;
      publication.info.audioFeatures = [...new Set(message.value.features)].slice(0, MAX_LISTED);
      if (publication.isLive) room.broadcast(participant);
      return null;
    }
    case 'updateVideoTrack': {
      const publication = participant.publications.get(message.value.trackSid);
      if (!publication) return null;
      publication.info.width = message.value.width;
      publication.info.height = message.value.height;
      if (publication.isLive) room.broadcast(participant);
      return null;
    }
    case 'publishDataTrackRequest':
      refuse(
        participant,
        { reason: RequestResponse_Reason.UNSUPPORTED_TYPE, message: 'This server has no data tracks.' },
        { request: { case: 'publishDataTrack', value: message.value } },
      );
      return null;
    case 'ping':
      participant.send({ case: 'pong', value: protoInt64.parse(Date.now()) });
      return null;
    case 'pingReq':
      participant.send({
        case: 'pongResp',
        value: new Pong({
          lastPingTimestamp: message.value.timestamp,
          timestamp: protoInt64.parse(Date.now()),
        }),
      });
      return null;
    case 'simulate':
      if (message.value.scenario.case === 'leaveRequestFullReconnect')
        room.leave(participant, DisconnectReason.STATE_MISMATCH, { tell: true, comeBack: true });
      return null;
    case 'leave':
      room.leave(participant, DisconnectReason.CLIENT_INITIATED);
      return null;
    default:
      // Not needed: candidates (the client connects to us), layers, and the sync state after a resume.
      return null;
  }
}

function negotiated(run: () => void): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof BadDescription) return error.message;
    throw error;
  }
}

function announce(participant: Participant, message: Extract<Message, { case: 'addTrack' }>): void {
  const request = { request: message };
  if (!mayPublish(participant.permissions, message.value.source))
    refuse(
      participant,
      { reason: RequestResponse_Reason.NOT_ALLOWED, message: 'You may not publish this here.' },
      request,
    );
  else if (
    !message.value.cid ||
    message.value.toBinary().length > MAX_TRACK_BYTES ||
    !participant.announce(message.value)
  )
    refuse(
      participant,
      { reason: RequestResponse_Reason.LIMIT_EXCEEDED, message: 'You cannot publish this track as well.' },
      request,
    );
}

/** Mutes or unmutes a track at its publisher's request. */
export function mute(room: Room, participant: Participant, trackSid: string, muted: boolean): boolean {
  const publication = participant.publications.get(trackSid);
  if (!publication) return false;
  if (publication.info.muted === muted) return true;
  publication.info.muted = muted;
  if (publication.isLive) room.broadcast(participant);
  if (!muted) publication.requestKeyframe();
  return true;
}

/** The tracks that a subscription request names, without repeats. */
export const subscribed = (wish: {
  trackSids: string[];
  participantTracks: { trackSids: string[] }[];
}): Set<string> =>
  new Set([...wish.trackSids, ...wish.participantTracks.flatMap(({ trackSids }) => trackSids)]);

/** A publisher limits who may receive their tracks; affected participants are told. */
function limitAudience(room: Room, publisher: Participant, limits: SubscriptionPermission): void {
  const before = publisher.audience;
  publisher.audience = limits.allParticipants ? null : audienceOf(limits.trackPermissions);
  for (const subscriber of room.participants.values()) {
    if (subscriber === publisher) continue;
    for (const trackSid of publisher.publications.keys()) {
      const was = before?.(subscriber.identity, subscriber.sid, trackSid) ?? true;
      const is = publisher.audience?.(subscriber.identity, subscriber.sid, trackSid) ?? true;
      if (was !== is) room.tellAllowed(subscriber, publisher.sid, trackSid, is);
    }
  }
  room.matchAgain(publisher);
}

/**
 * Maps, because this is checked for every participant and track: a long list must not cost more than a short
 * one.
 */
function audienceOf(permissions: readonly TrackPermission[]): NonNullable<Participant['audience']> {
  const tracks = new Map<string, Set<string> | 'all'>();
  for (const { participantIdentity, participantSid, allTracks, trackSids } of permissions) {
    const key = participantIdentity ? `identity ${participantIdentity}` : `sid ${participantSid}`;
    const known = tracks.get(key) ?? new Set();
    if (known === 'all') continue;
    for (const trackSid of trackSids) known.add(trackSid);
    tracks.set(key, allTracks ? 'all' : known);
  }
  const permits = (key: string, trackSid: string) => {
    const known = tracks.get(key);
    return known === 'all' || (known?.has(trackSid) ?? false);
  };
  return (identity, sid, trackSid) =>
    permits(`identity ${identity}`, trackSid) || permits(`sid ${sid}`, trackSid);
}

function updateOwn(room: Room, participant: Participant, wanted: UpdateParticipantMetadata): void {
  const answer = { requestId: wanted.requestId };
  const request = { request: { case: 'updateMetadata' as const, value: wanted } };
  if (!participant.permissions.canUpdateMetadata) {
    refuse(
      participant,
      {
        reason: RequestResponse_Reason.NOT_ALLOWED,
        message: 'You may not change your name, metadata or attributes here.',
      },
      { ...answer, ...request },
    );
    return;
  }
  const attributes = withChanges(participant.attributes, wanted.attributes);
  const problem = faceProblem({ ...wanted, attributes }, participant.kind);
  if (problem) {
    refuse(
      participant,
      { reason: RequestResponse_Reason.LIMIT_EXCEEDED, message: problem },
      { ...answer, ...request },
    );
    return;
  }
  if (wanted.name) participant.name = wanted.name;
  if (wanted.metadata) participant.metadata = wanted.metadata;
  participant.attributes = attributes;
  room.broadcast(participant);
  participant.send({
    case: 'requestResponse',
    value: new RequestResponse({ ...answer, reason: RequestResponse_Reason.OK, ...request }),
  });
}

/** Merges attributes; an empty value deletes one. */
export const withChanges = (
  before: Record<string, string>,
  changes: Record<string, string>,
): Record<string, string> =>
  Object.fromEntries(Object.entries({ ...before, ...changes }).filter(([, value]) => value !== ''));

function refuse(
  participant: Participant,
  refusal: Refusal,
  about: { requestId?: number; request?: RequestResponse['request'] },
): void {
  participant.send({ case: 'requestResponse', value: new RequestResponse({ ...about, ...refusal }) });
}
