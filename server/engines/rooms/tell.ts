import {
  DisconnectReason,
  type ParticipantInfo,
  ParticipantInfo_Kind,
  ParticipantInfo_State,
  TrackType,
} from '@livekit/protocol';
import type { LeaveReason, RoomParticipant } from './contract.ts';

/** Converts a participant of LiveKit's protocol to our type. */
export function toParticipant(info: ParticipantInfo): RoomParticipant {
  const { permission } = info;
  return {
    sid: info.sid,
    identity: info.identity,
    name: info.name,
    kind: kinds[info.kind] ?? 'other',
    metadata: info.metadata,
    joinedAt: new Date(Number(info.joinedAtMs) || Number(info.joinedAt) * 1000),
    state: info.state === ParticipantInfo_State.ACTIVE ? 'active' : 'joining',
    permissions: {
      canPublish: permission?.canPublish ?? true,
      canSubscribe: permission?.canSubscribe ?? true,
      canPublishData: permission?.canPublishData ?? true,
      hidden: permission?.hidden ?? false,
    },
    tracks: info.tracks.flatMap(({ sid, type, muted }) =>
      type === TrackType.DATA ? [] : [{ sid, kind: trackKind(type), muted }],
    ),
  };
}

export const trackKind = (type: TrackType): 'audio' | 'video' =>
  type === TrackType.VIDEO ? 'video' : 'audio';

const kinds: Partial<Record<ParticipantInfo_Kind, RoomParticipant['kind']>> = {
  [ParticipantInfo_Kind.STANDARD]: 'standard',
  [ParticipantInfo_Kind.AGENT]: 'agent',
};

const reasons: Partial<Record<DisconnectReason, LeaveReason>> = {
  [DisconnectReason.CLIENT_INITIATED]: 'left',
  [DisconnectReason.DUPLICATE_IDENTITY]: 'replaced',
  [DisconnectReason.PARTICIPANT_REMOVED]: 'removed',
  [DisconnectReason.ROOM_DELETED]: 'room-deleted',
  [DisconnectReason.ROOM_CLOSED]: 'room-deleted',
  [DisconnectReason.SERVER_SHUTDOWN]: 'server-closing',
  [DisconnectReason.SIGNAL_CLOSE]: 'lost',
  [DisconnectReason.CONNECTION_TIMEOUT]: 'lost',
  [DisconnectReason.STATE_MISMATCH]: 'lost',
};
export const toLeaveReason = (reason: DisconnectReason): LeaveReason => reasons[reason] ?? 'other';
