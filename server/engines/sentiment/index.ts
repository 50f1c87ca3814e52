import { type ClassifierOptions, createSentimentClassifier } from './classifier.ts';
import type { SentimentEngine } from './contract.ts';

/**
 * The sentiment engine. Its weights are part of the program, so it works from the start.
 * @param options.reading makes the vectors; may become ready later, and is not closed here
 */
export const createSentiment = (
  options: Pick<ClassifierOptions, 'reading' | 'begin'> = {},
): SentimentEngine => createSentimentClassifier(options);
