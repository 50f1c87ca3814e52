import type { Sound } from '#server/audio/sound';

/** Somebody in a room besides us. */
export interface RoomMemberFace {
  identity: string;
  name: string;
  /** As the token said; only who makes tokens can have written it. */
  metadata: string;
  isAgent: boolean;
}

export type MemberGone = 'left' | 'lost' | 'replaced';

/** Why a presence ended that nobody asked to leave. */
export type PresenceEnd = 'replaced' | 'removed' | 'room-deleted' | 'lost';

/** How far a speech has been played: milliseconds of its sound that have left. */
export interface SpeechPosition {
  speechId: string;
  playedMs: number;
}

/** What being in a room tells. Every method returns at once. */
export interface PresenceListener {
  /** Those who are there already come first. */
  memberJoined(member: RoomMemberFace): void;
  memberLeft(identity: string, how: MemberGone): void;
  /** A member's microphone is heard from now on; `trackSid` names it in captions. */
  microphoneOpened(identity: string, trackSid: string): void;
  /** Muted, taken back, or gone: no more sound comes until it is opened again. */
  microphoneClosed(identity: string): void;
  /** Sound of a member's microphone: 16 kHz, mono, -1 to 1, 20 ms, without gaps while it is open. */
  sound(identity: string, samples: Float32Array): void;
  /** Somebody has subscribed to our voice: from now on it is heard. */
  audible(): void;
  speechBegan(speechId: string): void;
  /** About ten times a second while a speech is played. */
  speechPlayed(position: SpeechPosition): void;
  /** All of a finished speech was played. Not told of one that was stopped. */
  speechEnded(position: SpeechPosition): void;
  /** We are out of the room; nothing else follows. Not told after `leave`. */
  ended(why: PresenceEnd): void;
}

interface JoinRequest {
  url: string;
  token: string;
  listener: PresenceListener;
  /** Gives up while joining. */
  signal?: AbortSignal;
}

export interface Caption {
  segmentId: string;
  text: string;
  isFinal: boolean;
  /** Who said it; without it, we did. */
  speaker?: { identity: string; trackSid: string };
}

/**
 * Our participant in one room. Methods without a promise return at once, are carried out in their order and fail
 * silently once the room is lost: `ended` tells.
 */
export interface Presence {
  setAttributes(attributes: Record<string, string>): void;
  /**
   * Sends the text of a segment so far; it takes the place of what was sent of this segment before. What we say ourselves
   * only grows until it is final.
   */
  caption(caption: Caption): void;
  /** Sends data to one member alone. */
  tell(identity: string, topic: string, payload: string): void;
  /**
   * Says a piece of a speech: behind the pieces of it that came before; another speech waits until it has ended.
   * @param sound nobody may change its samples any more
   */
  say(speechId: string, sound: Sound): void;
  /** No more pieces come for this speech. */
  finishSpeech(speechId: string): void;
  /** Pauses the voice where it is, within some 20 ms. */
  hold(): void;
  /** Goes on where it was paused. */
  release(): void;
  /**
   * Stops a speech, also one that waits, and forgets the rest of it.
   * @returns milliseconds of it that were played
   */
  stopSpeech(speechId: string): Promise<number>;
  /** Resolves when we are out. Never rejects. */
  leave(): Promise<void>;
}

/** Takes part in voice rooms, embedded or LiveKit's, as a participant among others. */
export interface ParticipantsEngine {
  readonly name: string;
  /** Rejects with an EngineError (`retryable` says whether trying again can help) or the signal's reason. */
  join(request: JoinRequest): Promise<Presence>;
  /** Leaves every room. */
  close(): Promise<void>;
}
