import { ParticipantInfo_Kind, ParticipantPermission, TrackSource } from '@livekit/protocol';
import type { ClaimGrants, VideoGrant } from 'livekit-server-sdk';

/** Rights of a participant, from the token or set later by an administrator. */
export interface Permissions {
  canSubscribe: boolean;
  canPublish: boolean;
  canPublishData: boolean;
  /** Empty: every source. */
  canPublishSources: readonly TrackSource[];
  canUpdateMetadata: boolean;
  hidden: boolean;
  recorder: boolean;
  agent: boolean;
  canSubscribeMetrics: boolean;
}

/** Reads a grant as LiveKit does: omitted rights are granted for media and data, and denied otherwise. */
export function permissionsOf(grant: VideoGrant): Permissions {
  return {
    canSubscribe: grant.canSubscribe ?? true,
    canPublish: grant.canPublish ?? true,
    canPublishData: grant.canPublishData ?? grant.canPublish ?? true,
    canPublishSources: (grant.canPublishSources ?? []).map(toTrackSource),
    canUpdateMetadata: grant.canUpdateOwnMetadata ?? false,
    hidden: grant.hidden ?? false,
    recorder: grant.recorder ?? false,
    agent: grant.agent ?? false,
    canSubscribeMetrics: grant.canSubscribeMetrics ?? false,
  };
}

/** The rights after an administrator's change. */
export function permissionsFrom(wanted: ParticipantPermission, before: Permissions): Permissions {
  return {
    canSubscribe: wanted.canSubscribe,
    canPublish: wanted.canPublish,
    canPublishData: wanted.canPublishData,
    canPublishSources: [...wanted.canPublishSources],
    canUpdateMetadata: wanted.canUpdateMetadata,
    hidden: wanted.hidden,
    recorder: before.recorder,
    agent: before.agent,
    canSubscribeMetrics: wanted.canSubscribeMetrics,
  };
}

export const toMessage = (permissions: Permissions): ParticipantPermission =>
  new ParticipantPermission({ ...permissions, canPublishSources: [...permissions.canPublishSources] });

/** The grant for a renewed token, with the current rights. */
export const grantOf = (room: string, permissions: Permissions): VideoGrant => ({
  roomJoin: true,
  room,
  canSubscribe: permissions.canSubscribe,
  canPublish: permissions.canPublish,
  canPublishData: permissions.canPublishData,
  ...(permissions.canPublishSources.length > 0
    ? { canPublishSources: [...permissions.canPublishSources] }
    : {}),
  canUpdateOwnMetadata: permissions.canUpdateMetadata,
  hidden: permissions.hidden,
  recorder: permissions.recorder,
  agent: permissions.agent,
  canSubscribeMetrics: permissions.canSubscribeMetrics,
});

export const mayPublish = (permissions: Permissions, source: TrackSource): boolean =>
  permissions.canPublish &&
  (permissions.canPublishSources.length === 0 || permissions.canPublishSources.includes(source));

const kinds: Record<string, ParticipantInfo_Kind> = {
  agent: ParticipantInfo_Kind.AGENT,
  egress: ParticipantInfo_Kind.EGRESS,
  ingress: ParticipantInfo_Kind.INGRESS,
  sip: ParticipantInfo_Kind.SIP,
};
export const kindOf = (claims: ClaimGrants): ParticipantInfo_Kind =>
  kinds[claims.kind ?? ''] ?? ParticipantInfo_Kind.STANDARD;

/** Tokens name sources in lower case. */
function toTrackSource(source: TrackSource | string): TrackSource {
  if (typeof source === 'number') return source;
  const named: Record<string, TrackSource> = {
    camera: TrackSource.CAMERA,
    microphone: TrackSource.MICROPHONE,
    screen_share: TrackSource.SCREEN_SHARE,
    screen_share_audio: TrackSource.SCREEN_SHARE_AUDIO,
  };
  return named[source] ?? TrackSource.UNKNOWN;
}
