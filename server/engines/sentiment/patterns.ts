import { trainedFor } from './trained-for.ts';

export const PATTERN_COUNT = trainedFor.patterns.length;

/** Which patterns a text has, by their place. */
export function patternsOf(text: string): number[] {
  const plain = simplified(text);
  const found: number[] = [];
  trainedFor.patterns.forEach((pattern, at) => {
    if (pattern.test(plain)) found.push(at);
  });
  return found;
}

/** Without names, and with runs of the same mark shortened: no text can keep a pattern busy. */
const simplified = (text: string) =>
  text
    .replaceAll('’', "'")
    .replace(/@\w+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([^\p{L}\p{N}★☆])\1+/gu, '$1')
    .trim();
