import type { Words } from '#server/languages/contract';

/** Share of function words in a text of a language: articles, pronouns, auxiliaries. */
const SMALL_WORDS = 0.2;
/** Fewer words are not enough evidence. */
const FEW = 3;
/** Share of a sentence's words that the talk has used, above which it is of the same language. */
const SHARED = 1 / 3;

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];

const isLatin = (text: string) => /^(?:\p{Script=Latin}|\P{L})*$/u.test(text);

/** @returns the share of function words of the language; null for fewer than three words */
function smallShare(text: string, { termsOf }: Pick<Words, 'termsOf'>): number | null {
  const words = wordsIn(text);
  if (words.length < FEW) return null;
  return (words.length - termsOf(words.join(' ')).length) / words.length;
}

/** Whether a text is written in the language of a pack, by its function words; also true if it is too short to tell. */
export const isWrittenIn = (text: string, words: Pick<Words, 'termsOf'>): boolean =>
  isLatin(text) && (smallShare(text, words) ?? 1) >= SMALL_WORDS;

/**
 * Tells for the sentences of a reply whether they are written in the language of a pack. A short one may have no
 * function word: in a talk of that language, it counts as foreign only if its letters or most of its words are.
 * @param talk the customer's and the business's words
 * @param isExpected the talk is in that language
 */
export function sentencesWrittenIn(
  words: Pick<Words, 'termsOf'>,
  talk: readonly string[],
  isExpected: boolean,
): (sentence: string) => boolean {
  const known = new Set(isExpected ? wordsIn(talk.join('\n')) : []);
  return (sentence) => {
    if (!isLatin(sentence)) return false;
    const share = smallShare(sentence, words);
    if (share === null || share >= SMALL_WORDS) return true;
    if (!isExpected) return false;
    const own = wordsIn(sentence);
    const isForeign = /[À-ɏ]/u.test(sentence);
    const shared = own.filter((word) => known.has(word)).length / own.length;
    return shared >= SHARED || (share > 0 && !isForeign);
  };
}
