import type { Sound } from '#server/audio/sound';
import type { EngineStatus } from '#shared/status';

export interface SynthesisRequest {
  /** One sentence or short paragraph as it is written; the engine reads numbers, money, times and codes as a person would. */
  text: string;
  /** `first` is the sentence a customer waits for; it overtakes `later` ones of every call, which are never starved. */
  urgency: 'first' | 'later';
  /** Resolves when a customer begins to wait for what was asked for as `later`: from then on it counts as `first`. */
  awaited?: Promise<void>;
  /** The first words are wanted before the rest of their sentence is made: it comes in pieces. */
  firstWordsSoon?: boolean;
  /** Language of the text (BCP 47), for engines that speak several; without it their own. */
  language?: string;
  signal?: AbortSignal;
}

/**
 * A phrase as it is spoken, with the pause that belongs after it, or a piece of one; end to end they have no seam. Text
 * with nothing to say (only emoji) is a moment of silence.
 */
export interface SpokenPhrase extends Sound {
  /** Its words as they are written. The words of all phrases, a space between them, are the text that was asked for. */
  text: string;
}

/** Turns text into speech. */
export interface SynthesisEngine {
  readonly name: string;
  status(): EngineStatus;
  /**
   * Speaks a text, phrase by phrase as they are made, each when it is asked for.
   * @throws EngineError (`retryable` says whether trying again can help) or the signal's reason
   */
  synthesize(request: SynthesisRequest): AsyncIterable<SpokenPhrase>;
  close(): Promise<void>;
}
