import {
  type LocalParticipant,
  type Participant,
  ParticipantKind,
  RemoteAudioTrack,
  type RemoteParticipant,
  type Room,
  Track,
} from 'livekit-client';
import { AGENT_NOTICE_ATTRIBUTE, AGENT_STATE_ATTRIBUTE, agentStateSchema } from '#shared/rooms';
import type { RoomParticipant } from './room-state.ts';

/** The participants of a room as the screen shows them: the user first, the others in order of arrival. */
export function participantsOf(room: Room): RoomParticipant[] {
  return everybody(room).map(seen);
}

/** The publisher of a track. */
export function publisherOf(room: Room, trackSid: string | undefined): Participant | undefined {
  if (!trackSid) return undefined;
  return everybody(room).find((participant) => participant.trackPublications.has(trackSid));
}

export const nameOf = (participant: Participant) => participant.name || participant.identity;

export const isAgent = (participant: Participant | undefined) => participant?.kind === ParticipantKind.AGENT;

const everybody = (room: Room) => [room.localParticipant, ...room.remoteParticipants.values()];

function seen(participant: LocalParticipant | RemoteParticipant): RoomParticipant {
  const microphone = participant.getTrackPublication(Track.Source.Microphone);
  const audioTrack = microphone?.audioTrack;
  const { attributes } = participant;
  const state = agentStateSchema.safeParse(attributes[AGENT_STATE_ATTRIBUTE]);
  const notice = attributes[AGENT_NOTICE_ATTRIBUTE] || null;
  return {
    sid: participant.sid,
    identity: participant.identity,
    name: participant.name ?? '',
    isLocal: participant.isLocal,
    agent: isAgent(participant) ? { state: state.data ?? 'initializing', notice } : null,
    isSpeaking: participant.isSpeaking,
    isMuted: !microphone || microphone.isMuted,
    quality: participant.connectionQuality,
    audio: audioTrack instanceof RemoteAudioTrack ? audioTrack : null,
  };
}
