import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WEIGHTS, weightsFolder } from './weights.ts';

/** One piece a line, as it lies on the disk: a set of its words would take ten times the memory. */
let vocabulary: string | null = null;

/**
 * Whether the encoders know a word as a whole, which they learnt from very many texts: so it is hardly a typing error.
 * @param word in lower case
 */
export function isKnownWord(word: string): boolean {
  vocabulary ??= `\n${readFileSync(join(weightsFolder(), WEIGHTS.vocabulary), 'utf8')}\n`;
  return vocabulary.includes(`\n${word}\n`);
}
