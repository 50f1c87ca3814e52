import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { VoiceActivityEngine } from '#server/engines/voice-activity/contract';
import type { ExpectedAnswer } from '#server/languages/turn-taking';

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
  /** When what was said last was being recognised, by `performance.now()`. */
  recognition?: { startedAt: number; endedAt: number };
  /**
   * The customer went on before anything of the reply to the previous utterance was heard: both are one turn.
   * That reply was called off by `interrupt`; what is answered now is both texts together.
   */
  continues: boolean;
}

/**
 * What taking turns tells the call, on a page or in a room alike. Every method returns at once and throws nothing.
 *
 * Order: `speaking(true)`, then any number of `partial` and `candidate`, then at most one `utterance`, then
 * `speaking(false)`. Speech that turns out to be no words ends without `utterance`. Over the agent's voice
 * `hold` comes with `speaking(true)`, and `release` or `interrupt` always follows it; no `utterance` before `interrupt`.
 */
export interface TurnTakingListener {
  /** Somebody began to speak; an utterance was taken or dismissed. Pauses inside an utterance are part of it. */
  speaking(isSpeaking: boolean): void;
  /** What was said so far in this utterance; it may change. Never told for what may be a mere "mhm" over the agent. */
  partial(text: string): void;
  /**
   * Speech over the agent's voice: the voice pauses at once. Also told when the customer goes on before the reply to
   * the last utterance is heard: that reply must then not begin before `release`.
   */
  hold(): void;
  /** It was a "mhm", a cough, a noise or the agent's own voice: the agent goes on where it was (or begins). */
  release(): void;
  /** The customer takes the floor: the reply ends where it was paused. One that was not heard yet is called off. */
  interrupt(): void;
  /**
   * The turn may be over with this text: time to think ahead. Another candidate or `utterance` may follow, or more
   * speech. An `utterance` with the same text as the last candidate is the rule.
   */
  candidate(text: string): void;
  /** The customer is done. A new utterance may begin. */
  utterance(utterance: SpokenUtterance): void;
  /** Safe to show. The stream goes on unless `fatal`; after a fatal one nothing more is told. */
  failed(message: string, fatal: boolean): void;
}

export interface TurnTakingOptions {
  /** `hands-free`: endpointing decides when the customer is done. `push-to-talk`: `end` does. */
  mode: 'hands-free' | 'push-to-talk';
  /** BCP 47: what the customer speaks. */
  language: string;
  recognition: RecognitionEngine;
  voiceActivity: VoiceActivityEngine;
  listener: TurnTakingListener;
}

/**
 * One customer's voice in one call. Its only clock is the sound it gets: where no samples come no time passes, so a
 * muted microphone sends silence, or `end` is called.
 */
export interface TurnTaking {
  /**
   * Takes the next samples: 16 kHz, mono, -1 to 1, any number of them; they are copied. Never blocks; memory is
   * bounded whatever comes: what cannot be worked off in time is left out and `failed` says so.
   */
  accept(samples: Float32Array): void;
  /** Sound accepted and not worked off yet, in milliseconds; beyond 30 s what comes is left out. */
  readonly waitingMs: number;
  /**
   * What the agent is saying aloud from now on; null when its voice has ended or was paused. Again with more text
   * when a streamed reply has grown. A pause that `hold` asked for may be told or not. A reply that is only shown is
   * told and ended at once, so that "yes" counts as its answer. Null while nothing is said: no reply comes to the last
   * utterance (it failed, or was not for the agent). Not used with push to talk.
   * @param expects what the text asks for, where that is known; else it is read from the words
   */
  agentSays(text: string | null, expects?: ExpectedAnswer | null): void;
  /** No more sound comes: takes what was said as the last utterance. Resolves when it has been told. Never rejects. */
  end(): Promise<void>;
  /** Drops everything; nothing more is told. */
  close(): void;
}
