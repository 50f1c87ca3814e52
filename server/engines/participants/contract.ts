import type { Sound } from '#server/audio/sound';

/** Another member of a room. */
export interface RoomMemberFace {
  identity: string;
  name: string;
  /** From the token, so only the issuer of tokens can have written it. */
  metadata: string;
  isAgent: boolean;
}

export type MemberGone = 'left' | 'lost' | 'replaced';

/** Why a presence ended without `leave`. */
export type PresenceEnd = 'replaced' | 'removed' | 'room-deleted' | 'lost';

/** Playout position of a speech, in milliseconds of its sound. */
export interface SpeechPosition {
  speechId: string;
  playedMs: number;
}

/** Events of being in a room. Every method returns at once. */
export interface PresenceListener {
  /** Also called for members that are already there, before anything else. */
  memberJoined(member: RoomMemberFace): void;
  memberLeft(identity: string, how: MemberGone): void;
  /** From now on this member's microphone is received; `trackSid` identifies it in captions. */
  microphoneOpened(identity: string, trackSid: string): void;
  /** Muted, unpublished or gone: no more sound until it is opened again. */
  microphoneClosed(identity: string): void;
  /** Sound of a member's microphone: 16 kHz, mono, -1 to 1, 20 ms, without gaps while it is open. */
  sound(identity: string, samples: Float32Array): void;
  /** A member has subscribed to our voice: from now on it is audible. */
  audible(): void;
  speechBegan(speechId: string): void;
  /** About ten times a second while a speech is played. */
  speechPlayed(position: SpeechPosition): void;
  /** A finished speech was played completely. Not called for a stopped one. */
  speechEnded(position: SpeechPosition): void;
  /** We are out of the room; nothing else follows. Not called after `leave`. */
  ended(why: PresenceEnd): void;
}

interface JoinRequest {
  url: string;
  token: string;
  listener: PresenceListener;
  /** Aborts the joining. */
  signal?: AbortSignal;
}

export interface Caption {
  segmentId: string;
  text: string;
  isFinal: boolean;
  /** The speaker; absent for our own words. */
  speaker?: { identity: string; trackSid: string };
}

/**
 * Our participant in one room. Methods without a promise return at once, run in order, and do nothing once
 * the room is lost; `ended` reports that.
 */
export interface Presence {
  setAttributes(attributes: Record<string, string>): void;
  /**
   * Sends the text of a segment so far; replaces what was sent for this segment. Our own text only grows
   * until it is final.
   */
  caption(caption: Caption): void;
  /** Sends data to one member only. */
  tell(identity: string, topic: string, payload: string): void;
  /**
   * Queues a piece of a speech behind its earlier pieces; another speech waits until this one ends.
   * @param sound its samples must not change any more
   */
  say(speechId: string, sound: Sound): void;
  /** Ends a speech: no more pieces follow. */
  finishSpeech(speechId: string): void;
  /** Pauses the voice within some 20 ms. */
  hold(): void;
  release(): void;
  /**
   * Stops a speech, playing or queued, and drops the rest of it.
   * @returns its playout position in milliseconds
   */
  stopSpeech(speechId: string): Promise<number>;
  /** Resolves when we are out. Never rejects. */
  leave(): Promise<void>;
}

/** Joins voice rooms, embedded or LiveKit's, as a participant. */
export interface ParticipantsEngine {
  readonly name: string;
  /** Rejects with an EngineError (`retryable` says whether trying again can help) or the signal's reason. */
  join(request: JoinRequest): Promise<Presence>;
  close(): Promise<void>;
}
