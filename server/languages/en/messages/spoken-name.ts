import { stopWordsOnly } from '../words.ts';
import { numberWords } from './spoken-numbers.ts';

/** What comes before a name that is said without capitals. */
const introduces =
  /\b(?:(?<sure>(?:my |full |first |last )?name(?:['’]?s| is|,|:)?)|(?<self>i['’]m|i am)|(?<thing>it['’]?s|it is|that['’]?s)|this is|(?<passed>(?:tell|let) (?:him|her|them|the \p{L}+|\p{Lu}\p{L}+)(?: know)?(?: that)?))\s+(?=\p{L})/giu;
const title = /^(?:mrs?|ms|miss|mx|dr|doctor|prof|professor|sir)$/;
/** Words after a name that tell that it is the one of the person who calls. */
const goesOn = /^(?:called|calling|rang|ringing|phoned|phoning|speaking)$/;
/** Ends a name and tells nothing of it. */
const ends =
  /^(?:here|from|again|dot|underscore|hyphen|dash|and|on|at|in|for|of|with|to|by|about|or|who|that|my|the|please|ring|call)$/;
/** Words that describe a matter, a place or a number more often than they name somebody. */
const describes =
  /^(?:mobile|cell|land ?line|home|work|office|phone|telephone|number|urgent|important|fine|right|correct|wrong|late|early|ready|broken|sorry|quite|really|pretty|super|extremely|always|probably|just)$/;
/** Endings of words that describe; "kelly" is a name. */
const describing = ['ing', 'ed', 'able', 'ful', 'less'];
const isDescribing = (word: string) =>
  describes.test(word) ||
  describing.some((ending) => word.length > ending.length && word.endsWith(ending)) ||
  (word.length > 6 && word.endsWith('ly'));
const MOST_WORDS = 3;
/** Characters before what introduces them: "hello, it's …". */
const LEAD = 12;

/**
 * A name said in small letters, as recognition writes it: "it's orla fenwick, oh one six", "tell her bram
 * called", "it's mrs lund".
 * @param isAsked a name was asked for, so that a word by itself is one too
 * @param isBeside it is beside a number, an address or a wish to be called; otherwise only what has a title is one
 * @returns in capitals; undefined if there is none
 */
export function spokenName(message: string, isAsked: boolean, isBeside: boolean): string | undefined {
  for (const { 0: said, index, groups } of message.slice(0, 1_000).matchAll(introduces)) {
    const rest = message.slice(index + said.length, index + said.length + 80);
    const words = rest.match(/[\p{L}'’-]+|\d+|[^\s\p{L}\d]/gu) ?? [];
    const end = words.findIndex((word, at) => {
      const small = word.toLowerCase();
      return (
        !/^\p{L}/u.test(word) ||
        goesOn.test(small) ||
        ends.test(small) ||
        numberWords.includes(small) ||
        (at > 0 && stopWordsOnly(small))
      );
    });
    const named = end < 0 ? words : words.slice(0, end);
    const [first = ''] = named.map((word) => word.toLowerCase());
    const isTitled = title.test(first) && named.length > 1;
    if (named.length === 0 || named.length > MOST_WORDS + (isTitled ? 1 : 0)) continue;
    const behind =
      words
        .slice(named.length)
        .find((word) => /[\p{L}\d]/u.test(word))
        ?.toLowerCase() ?? '';
    const isBehindNumber = /^\d/.test(behind) || numberWords.includes(behind);
    // "It's water damage" is no name; "it's orla fenwick, oh one six" at the beginning is.
    const isWhole = named.length > 1 && !groups?.passed && (groups?.self || (index < LEAD && isBehindNumber));
    const isFrom = behind === 'from' && !groups?.thing && !groups?.passed;
    const isNamed =
      isTitled ||
      (isAsked && !groups?.passed) ||
      (isBeside && (groups?.sure || isWhole || isFrom || goesOn.test(behind)));
    const isOther = named.some(
      (word) => word.length < 2 || stopWordsOnly(word) || isDescribing(word.toLowerCase()),
    );
    if (isNamed && !isOther) return named.map(capital).join(' ');
  }
  return undefined;
}

/** Capitalises "sean" and "o'brien" as names. */
export const capital = (name: string): string =>
  name.replace(/^\p{Ll}|(?<=^(?:o|d)['’]|-)\p{Ll}/gu, (letter) => letter.toUpperCase());
