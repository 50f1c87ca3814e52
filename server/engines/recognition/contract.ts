import type { EngineStatus } from '#shared/status';

/** Sample rate of everything the ears work on, in Hz. */
export const HEARING_SAMPLE_RATE = 16_000;

export interface RecognitionRequest {
  /**
   * One stretch of speech of any length, mono, -1 to 1, at HEARING_SAMPLE_RATE. It is copied before the call returns:
   * the buffer stays the caller's, who may go on filling it.
   */
  samples: Float32Array;
  /**
   * Whose speech it is, such as the id of a call. Callers take turns, and a waiting partial gives way to a newer
   * request of the same caller. Without it every request is a caller of its own.
   */
  caller?: string;
  /**
   * `final` is what a customer waits for; `partial`, what is shown while they go on speaking, gives way to it and is
   * dropped (rejects with a retryable EngineError) rather than queued when the engine is behind.
   */
  urgency: 'final' | 'partial';
  /** What is spoken (BCP 47), for engines that know several languages; without it they find out, or know only one. */
  language?: string;
  signal?: AbortSignal;
}

/**
 * Turns speech into text.
 * `recognize` resolves with the words as they would be written, `''` for silence and noise; it rejects with an
 * EngineError (`retryable` says whether trying again can help) or the signal's reason.
 */
export interface RecognitionEngine {
  readonly name: string;
  status(): EngineStatus;
  recognize(request: RecognitionRequest): Promise<string>;
  close(): Promise<void>;
}
