import { numberWords } from '../messages/spoken-numbers.ts';

const known = new Set([...numberWords, 'and']);

/** Whether a text is only a number, in figures or words: "four four seven two". */
export function isNumber(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length > 0 && words.every((word) => known.has(word) || /^\d+$/.test(word));
}
