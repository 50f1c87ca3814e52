import type { RemoteAudioTrack } from 'livekit-client';
import type { AgentState } from '#shared/rooms';

export type ConnectionQuality = 'excellent' | 'good' | 'poor' | 'lost' | 'unknown';

export interface RoomParticipant {
  sid: string;
  identity: string;
  /** Display name; empty without one. */
  name: string;
  isLocal: boolean;
  /** Null for people. */
  agent: { state: AgentState; notice: string | null } | null;
  isSpeaking: boolean;
  isMuted: boolean;
  quality: ConnectionQuality;
  /** The audio of a remote participant, null while there is none. */
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
  /** The current room, null outside of one. */
  room: string | null;
  /** Whether the user made it. */
  isOwner: boolean;
  /** ISO time of joining. */
  since: string | null;
  /** The user's choice; an unavailable microphone counts as muted. */
  muted: boolean;
  /** Whether the microphone is being turned on or off. */
  switching: boolean;
  /** The browser or the user denies the microphone: listening only. */
  microphoneDenied: boolean;
  /** In order of arrival, the user first. */
  participants: readonly RoomParticipant[];
  captions: readonly RoomCaption[];
  /** The browser makes no sound before the person touches the page. */
  soundBlocked: boolean;
  /** The record of this call, once there is one. */
  conversationId: string | null;
  /** Why the visit ended without hanging up, as a sentence. */
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

/** Adds a caption, or replaces its earlier state. A final one without words is removed. */
export function withCaption(captions: readonly RoomCaption[], caption: RoomCaption): readonly RoomCaption[] {
  if (caption.isFinal && caption.text === '') return captions.filter((each) => each.id !== caption.id);
  const at = captions.findIndex((each) => each.id === caption.id);
  if (at >= 0) return captions.with(at, caption);
  return [...captions.slice(-(MOST_CAPTIONS - 1)), caption];
}
