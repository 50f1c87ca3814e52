import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import type { ExpectedAnswer } from '#server/languages/turn-taking';

/** A complete utterance of a customer. */
export interface SpokenUtterance {
  /** Never blank. */
  text: string;
  /**
   * 16 kHz mono, -1 to 1, from a moment before the speech to a moment after it; null with push to talk, where
   * the page keeps the recording.
   */
  samples: Float32Array | null;
  /** Beginning and end of the speech, in milliseconds of sound since the stream began. */
  startedAtMs: number;
  endedAtMs: number;
  /** Silence before the utterance was taken as over, in milliseconds of sound. */
  waitedMs: number;
  /** Start and end of the final recognition, by `performance.now()`. */
  recognition?: { startedAt: number; endedAt: number };
  /**
   * The customer continued before any of the reply to the previous utterance was played: both are one turn.
   * That reply was called off by `interrupt`; the next reply answers both texts together.
   */
  continues: boolean;
}

/**
 * Events of turn-taking to a call, on a page or in a room alike. Every method must return at once and throw
 * nothing.
 *
 * Order: `speaking(true)`, then any number of `partial` and `candidate`, then at most one `utterance`, then
 * `speaking(false)`. Speech without words ends without `utterance`. Over the agent's voice `hold` comes with
 * `speaking(true)`, and `release` or `interrupt` always follows it; no `utterance` before `interrupt`.
 */
export interface TurnTakingListener {
  /** The customer began to speak; or an utterance was taken or dismissed. Pauses belong to the utterance. */
  speaking(isSpeaking: boolean): void;
  /** The utterance so far; it may change. Not called for what may be only "mhm" over the agent. */
  partial(text: string): void;
  /**
   * Speech over the agent's voice: pause the voice at once. Also called when the customer continues before
   * the reply to the last utterance is played: that reply must not begin before `release`.
   */
  hold(): void;
  /**
   * It was "mhm", a cough, a noise or the agent's own voice: the agent continues where it was (or begins).
   */
  release(): void;
  /**
   * The customer takes the floor: the reply ends where it was paused. A reply not yet played is called off.
   */
  interrupt(): void;
  /**
   * The turn may be over with this text: start thinking ahead. Another candidate, an `utterance` or more
   * speech may follow. Usually `utterance` has the same text as the last candidate.
   */
  candidate(text: string): void;
  /** The customer has finished. A new utterance may begin. */
  utterance(utterance: SpokenUtterance): void;
  /** Safe to show. The stream continues unless `fatal`; nothing follows a fatal failure. */
  failed(message: string, fatal: boolean): void;
}

export interface TurnTakingOptions {
  /** `hands-free`: endpointing decides when the turn is over. `push-to-talk`: `end` does. */
  mode: 'hands-free' | 'push-to-talk';
  /** The customer's language (BCP 47). */
  language: string;
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  listener: TurnTakingListener;
}

/**
 * One customer's voice in one call. Its only clock is the sound: no time passes without samples, so a muted
 * microphone must send silence, or `end` be called.
 */
export interface TurnTaking {
  /**
   * Takes the next samples: 16 kHz, mono, -1 to 1, any number; they are copied. Never blocks. Memory is
   * bounded: sound that cannot be processed in time is dropped, and `failed` says so.
   */
  accept(samples: Float32Array): void;
  /** Accepted sound that has not been processed, in milliseconds; beyond 30 s further sound is dropped. */
  readonly waitingMs: number;
  /**
   * Sets what the agent says aloud from now on; null when its voice has ended or was paused. Call it again
   * with more text when a streamed reply grows. A pause requested by `hold` may be reported or not. Report a
   * reply that is only shown and end it at once, so that "yes" counts as its answer. Null while nothing is
   * said means that no reply to the last utterance comes (it failed, or was not for the agent). Not used with
   * push to talk.
   * @param expects the answer that the text asks for, if known; otherwise derived from its words
   */
  agentSays(text: string | null, expects?: ExpectedAnswer | null): void;
  /**
   * No more sound comes: takes the rest as the last utterance. Resolves after it was reported. Never rejects.
   */
  end(): Promise<void>;
  /** Drops everything; nothing more is reported. */
  close(): void;
}
