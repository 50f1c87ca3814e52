import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';

/** Something a customer said, whole. */
export interface SpokenUtterance {
  /** Never blank. */
  text: string;
  /**
   * 16 kHz mono, -1 to 1, from a moment before the speech to a moment after it;
   * null with push to talk, where the page keeps the recording.
   */
  samples: Float32Array | null;
  /** Where the speech began and ended, in milliseconds of sound since the stream began. */
  startedAtMs: number;
  endedAtMs: number;
  /** Silence that was waited for before it was taken as over, in milliseconds of sound. */
  waitedMs: number;
}

/** What taking turns tells the call, on a page or in a room alike. Every method returns at once. */
export interface TurnTakingListener {
  /** Somebody began or ceased to speak. */
  speaking(isSpeaking: boolean): void;
  /** What was said so far in this utterance; it may change. */
  partial(text: string): void;
  /** Speech over the agent's voice: the voice pauses at once. `release` or `interrupt` always follows. */
  hold(): void;
  /** It was a "mhm", a cough, a noise or the agent's own voice: the agent goes on where it was. */
  release(): void;
  /** The customer takes the floor: the reply ends where it was paused. */
  interrupt(): void;
  /** The turn may be over with this text: time to think ahead. Another candidate or `utterance` may follow, or more speech. */
  candidate(text: string): void;
  /** The customer is done. A new utterance may begin. */
  utterance(utterance: SpokenUtterance): void;
  /** Safe to show. The stream goes on unless `fatal`. */
  failed(message: string, fatal: boolean): void;
}

export interface TurnTakingOptions {
  /** `hands-free`: endpointing decides when the customer is done. `push-to-talk`: `end` does. */
  mode: 'hands-free' | 'push-to-talk';
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  listener: TurnTakingListener;
}

/** One customer's voice in one call. */
export interface TurnTaking {
  /** Takes the next samples: 16 kHz, mono, -1 to 1. Never blocks; memory is bounded whatever comes. */
  accept(samples: Float32Array): void;
  /** What the agent is saying aloud from now on; null when its voice has ended or was paused by the page. */
  agentSays(text: string | null): void;
  /** No more sound comes: takes what was said as the last utterance. Resolves when it has been told. Never rejects. */
  end(): Promise<void>;
  /** Drops everything; nothing more is told. */
  close(): void;
}
