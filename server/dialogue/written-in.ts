import type { Words } from '#server/languages/contract';

/** Of the words of a text in its own language so many carry no meaning there: articles, pronouns, auxiliaries. */
const SMALL_WORDS = 0.2;
/** Fewer words tell nothing. */
const FEW = 3;
/** Words of a sentence that the talk has used, from which on it is of the same language. */
const SHARED = 1 / 3;

const wordsIn = (text: string) => text.toLowerCase().match(/\p{L}+(?:['’]\p{L}+)*/gu) ?? [];

const isLatin = (text: string) => /^(?:\p{Script=Latin}|\P{L})*$/u.test(text);

/** @returns the share of words that carry no meaning in the language; null of fewer than three words */
function smallShare(text: string, { termsOf }: Pick<Words, 'termsOf'>): number | null {
  const words = wordsIn(text);
  if (words.length < FEW) return null;
  return (words.length - termsOf(words.join(' ')).length) / words.length;
}

/** Whether a text is written in the language of a pack, by its small words; also true where it is too short to tell. */
export const isWrittenIn = (text: string, words: Pick<Words, 'termsOf'>): boolean =>
  isLatin(text) && (smallShare(text, words) ?? 1) >= SMALL_WORDS;

/**
 * Tells of the sentences of a reply whether they are written in the language of a pack. A short one may have no small word: where the
 * talk is in that language, it is taken for a foreign one only if its letters or most of its words are.
 * @param talk what the customer and the business said
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
