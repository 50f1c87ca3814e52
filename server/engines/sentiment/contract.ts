import type { Sentiment } from '#shared/conversations';
import type { EngineStatus } from '#shared/status';

/** The sentiment of a single customer message. */
export interface MessageSentiment {
  label: Sentiment;
  /** The label's probability, 0 to 1. */
  score: number;
}

/**
 * Labels customers' messages: positive, neutral, negative, or urgent if a person must look now. `analyse`
 * returns one label per text, in order; rejects with an EngineError or the signal's reason. Long lists are
 * processed in parts, so that a new message never waits for them.
 */
export interface SentimentEngine {
  readonly name: string;
  status(): EngineStatus;
  analyse(texts: readonly string[], signal?: AbortSignal): Promise<MessageSentiment[]>;
  close(): Promise<void>;
}
