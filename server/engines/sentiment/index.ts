import { type ClassifierOptions, createSentimentClassifier } from './classifier.ts';
import type { SentimentEngine } from './contract.ts';

/**
 * The sentiment engine of this server: its weights are part of the program, so it works from the first moment.
 * @param options.reading says what texts mean; it may come to be ready later, and is not closed here
 */
export const createSentiment = (
  options: Pick<ClassifierOptions, 'reading' | 'begin'> = {},
): SentimentEngine => createSentimentClassifier(options);
