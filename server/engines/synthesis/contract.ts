import type { EngineStatus } from '#shared/status';

export interface SynthesisRequest {
  /** One sentence or short paragraph as it is written; the engine reads numbers, money, times and codes as a person would. */
  text: string;
  /** `first` is the sentence a customer waits for; it overtakes `later` ones of every call, which are never starved. */
  urgency: 'first' | 'later';
  signal?: AbortSignal;
}

export interface Speech {
  /** A whole, playable file; files of one engine can be joined end to end. */
  audio: Uint8Array;
  mediaType: string;
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
