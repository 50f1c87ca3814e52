import { createSentimentClassifier } from './classifier.ts';
import type { SentimentEngine } from './contract.ts';

/** The sentiment engine of this server: its weights are part of the program, so it works from the first moment. */
export function createSentiment(): SentimentEngine {
  return createSentimentClassifier();
}
