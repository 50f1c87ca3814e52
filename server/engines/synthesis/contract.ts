import type { EngineStatus } from '#shared/status';

export interface SynthesisRequest {
  /** One sentence or short paragraph as it is written; the engine reads numbers, money, times and codes as a person would. */
  text: string;
  /** `first` is the sentence a customer waits for; it overtakes `later` ones of every call, which are never starved. */
  urgency: 'first' | 'later';
  signal?: AbortSignal;
}

export interface Speech {
  /**
   * A whole, playable file. Text with nothing to say (only emoji) is a moment of silence, a file like any other.
   * `joinSpeech` (mp3-files.ts) makes one file of several; put end to end they play, too, with 0.1 s more silence.
   */
  audio: Uint8Array;
  mediaType: string;
  /** Exact length of what a decoder plays, in whole milliseconds. */
  durationMs: number;
}

/**
 * Turns text into speech.
 * `synthesize` rejects with an EngineError (`retryable` says whether trying again can help) or the signal's reason.
 */
export interface SynthesisEngine {
  readonly name: string;
  status(): EngineStatus;
  synthesize(request: SynthesisRequest): Promise<Speech>;
  close(): Promise<void>;
}
