import type { Sound } from '#server/audio/sound';
import type { EngineStatus } from '#shared/status';

export interface SynthesisRequest {
  /**
   * One sentence or short paragraph as written; the engine reads numbers, money, times and codes as a person
   * would.
   */
  text: string;
  /**
   * `first`: the sentence that a customer is waiting for; overtakes `later` ones of every call, which never
   * starve.
   */
  urgency: 'first' | 'later';
  /** Resolves when a customer begins to wait for a `later` request, which then counts as `first`. */
  awaited?: Promise<void>;
  /** Deliver the first words before the rest of the sentence is made: it comes in pieces. */
  firstWordsSoon?: boolean;
  /** Language of the text (BCP 47), for engines that speak several; default: the engine's own. */
  language?: string;
  signal?: AbortSignal;
}

/**
 * A spoken phrase with the pause after it, or a piece of one; consecutive pieces join without a seam. Text
 * with nothing to say (only emoji) is a moment of silence.
 */
export interface SpokenPhrase extends Sound {
  /** Its words as written. The texts of all phrases, joined with spaces, are the requested text. */
  text: string;
}

/** Turns text into speech. */
export interface SynthesisEngine {
  readonly name: string;
  status(): EngineStatus;
  /**
   * Speaks a text phrase by phrase; each is made when the consumer asks for it.
   * @throws EngineError (`retryable` says whether a later try can help); the signal's reason
   */
  synthesize(request: SynthesisRequest): AsyncIterable<SpokenPhrase>;
  close(): Promise<void>;
}
