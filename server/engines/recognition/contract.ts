import type { EngineStatus } from '#shared/status';

/** Sample rate of all recognition, in Hz. */
export const HEARING_SAMPLE_RATE = 16_000;

export interface RecognitionRequest {
  /**
   * Speech of any length, mono, -1 to 1, at HEARING_SAMPLE_RATE. It is copied before the call returns, so the
   * caller may reuse the buffer.
   */
  samples: Float32Array;
  /**
   * Identifies the speaker, e.g. the id of a call. Callers take turns, and a waiting partial is replaced by a
   * newer request of the same caller. Without it every request is a caller of its own.
   */
  caller?: string;
  /**
   * A customer waits for `final`. A `partial` is shown while they speak: it yields to `final` requests, and
   * when the engine is behind it is dropped (rejects with a retryable EngineError) rather than queued.
   */
  urgency: 'final' | 'partial';
  /** Spoken language (BCP 47), for engines that know several; without it they detect it, or know only one. */
  language?: string;
  signal?: AbortSignal;
}

/**
 * Turns speech into text. `recognize` resolves with the words as written text, `''` for silence and noise; it
 * rejects with an EngineError (`retryable` says whether a later try can help) or the signal's reason.
 */
export interface RecognitionEngine {
  readonly name: string;
  status(): EngineStatus;
  recognize(request: RecognitionRequest): Promise<string>;
  close(): Promise<void>;
}
