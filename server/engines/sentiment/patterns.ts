import { trainedFor } from './trained-for.ts';

export const PATTERN_COUNT = trainedFor.patterns.length;

/** Indexes of the patterns that match a text. */
export function patternsOf(text: string): number[] {
  const plain = simplified(text);
  const found: number[] = [];
  trainedFor.patterns.forEach((pattern, at) => {
    if (pattern.test(plain)) found.push(at);
  });
  return found;
}

/** Removes names and shortens runs of the same mark, so that no text makes a pattern slow. */
const simplified = (text: string) =>
  text
    .replaceAll('’', "'")
    .replace(/@\w+/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/([^\p{L}\p{N}★☆])\1+/gu, '$1')
    .trim();
