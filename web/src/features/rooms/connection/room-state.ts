import type { RemoteAudioTrack } from 'livekit-client';
import type { AgentState } from '#shared/rooms';

export type ConnectionQuality = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown';

export interface RoomParticipant {
  sid: string;
  identity: string;
  /** What people call them; empty when they have no name. */
  name: string;
  isLocal: boolean;
  /** Null for people. */
  agent: { state: AgentState; notice: string | null } | null;
  isSpeaking: boolean;
  isMuted: boolean;
  quality: ConnectionQuality;
  /** What is heard of a remote participant, null while nothing is. */
  audio: RemoteAudioTrack | null;
}

/** One stretch of speech as text; it grows until it is final. */
export interface RoomCaption {
  id: string;
  identity: string;
  speaker: string;
  isLocal: boolean;
  isAgent: boolean;
  text: string;
  isFinal: boolean;
}

export interface LiveRoomState {
  connection: 'disconnected' | 'connecting' | 'connected' | 'reconnecting';
  /** The room one is in, null outside of one. */
  room: string | null;
  /** Whether one made it. */
  isOwner: boolean;
  /** ISO time one came in. */
  since: string | null;
  /** The person's own choice; a microphone that cannot be had counts as muted. */
  muted: boolean;
  /** Whether the microphone is being turned on or off. */
  switching: boolean;
  /** The browser or the person refuses the microphone: one can listen only. */
  microphoneDenied: boolean;
  /** In the order they came, oneself first. */
  participants: readonly RoomParticipant[];
  captions: readonly RoomCaption[];
  /** The browser makes no sound before the person touches the page. */
  soundBlocked: boolean;
  /** Where the record of this call is, once there is one. */
  conversationId: string | null;
  /** Why one is no longer in the room although one did not hang up, as a sentence. */
  lost: string | null;
}

export const outside: LiveRoomState = {
  connection: 'disconnected',
  room: null,
  isOwner: false,
  since: null,
  muted: false,
  switching: false,
  microphoneDenied: false,
  participants: [],
  captions: [],
  soundBlocked: false,
  conversationId: null,
  lost: null,
};

const MOST_CAPTIONS = 200;

/** Puts a caption in, or in the place of the earlier state of itself. A final one without words takes it out. */
export function withCaption(captions: readonly RoomCaption[], caption: RoomCaption): readonly RoomCaption[] {
  if (caption.isFinal && caption.text === '') return captions.filter((each) => each.id !== caption.id);
  const at = captions.findIndex((each) => each.id === caption.id);
  if (at >= 0) return captions.with(at, caption);
  return [...captions.slice(-(MOST_CAPTIONS - 1)), caption];
}
