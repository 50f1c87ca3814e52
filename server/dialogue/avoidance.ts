import type { Words } from '#server/languages/contract';
import type { Instructions } from '#server/languages/instructions';

/** @returns whether a sentence contains words that the business forbids */
export function avoidanceCheck(
  { neverSays }: Pick<Instructions, 'neverSays'>,
  { termsOf, normalize }: Words,
): (sentence: string) => boolean {
  const avoided = neverSays.map((phrase) => {
    const terms = termsOf(phrase);
    return terms.length > 0 ? { words: terms, of: termsOf } : { words: wordsIn(phrase), of: wordsIn };
  });
  return (sentence) => avoided.some(({ words, of }) => holds(of(sentence), words));

  function wordsIn(text: string): string[] {
    return normalize(text).match(/[\p{L}\p{N}]+/gu) ?? [];
  }
}

/** Whether these words occur side by side in a text. */
const holds = (text: readonly string[], words: readonly string[]) =>
  words.length > 0 && text.some((_, at) => words.every((word, n) => text[at + n] === word));
