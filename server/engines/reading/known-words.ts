import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEIGHTS, weightsFolder } from './weights.ts';

/** The vocabulary file as one string: a Set would take ten times the memory. */
let vocabulary: string | null = null;

/**
 * Whether a word is a single token of the encoders. Such words are common, so it is hardly a typing error.
 * @param word in lower case
 */
export function isKnownWord(word: string): boolean {
  vocabulary ??= `\n${readFileSync(join(weightsFolder(), WEIGHTS.vocabulary), 'utf8')}\n`;
  return vocabulary.includes(`\n${word}\n`);
}
