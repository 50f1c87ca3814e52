import type { Sentiment } from '#shared/conversations';
import type { EngineStatus } from '#shared/status';

/** How a customer's message sounds, by itself. */
export interface MessageSentiment {
  label: Sentiment;
  /** How sure that is: the label's probability, 0 to 1. */
  score: number;
}

/**
 * Labels what customers say: positive, neutral, negative, or urgent when a person must look now.
 * `analyse` answers one label per text, in order; rejects with an EngineError or the signal's reason. A long list is worked
 * through in parts, so that a message that has just arrived never waits for it.
 */
export interface SentimentEngine {
  readonly name: string;
  status(): EngineStatus;
  analyse(texts: readonly string[], signal?: AbortSignal): Promise<MessageSentiment[]>;
  close(): Promise<void>;
}
