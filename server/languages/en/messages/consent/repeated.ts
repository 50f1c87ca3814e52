import { type Before, isSameRole, limits, type Repeated } from './before.ts';
import { halting, isDeed, removals } from './deeds.ts';
import type { Place } from './places.ts';
import type { ReadBack } from './read-back.ts';
import { numbersRepeatedAt } from './repeated-numbers.ts';
import { spelledAt } from './spelled.ts';
import { isNumber, isRepeat } from './values.ts';
import {
  canonical,
  isDateWord,
  isJoint,
  isPreposition,
  isSpan,
  isWeekday,
  negators,
  plainly,
  setOf,
} from './vocabulary.ts';

/** What an answer repeats from an index on in the same sense: every reading. */
export const repeatedAt = (
  words: readonly string[],
  at: number,
  before: Before,
  readBack: ReadBack,
): Repeated[] => [
  ...numbersRepeatedAt(words, at, before, readBack),
  ...spelledAt(words, at, readBack.spelled),
  ...wordsAt(words, at, before, readBack),
  ...(before.isNegated || before.preposition !== '' ? [] : quotedAt(words, at, readBack)),
];

/** A shorter quotation may have another meaning. */
const MIN_QUOTED = 3;

/** A quotation of several words: "a day later". From an action's own values any: "the driver was rude". */
function quotedAt(words: readonly string[], at: number, { list, isListed }: ReadBack): Repeated[] {
  const mayQuote = (word: string) => !negators.has(word) && (isListed || isIdle(word));
  return list.flatMap((_, from): Repeated[] => {
    let length = 0;
    while (words[at + length] !== undefined && words[at + length] === list[from + length]) length++;
    const isQuoted = length >= MIN_QUOTED && words.slice(at, at + length).every(mayQuote);
    return isQuoted ? [{ is: 'day', what: '', end: at + length, chunks: [] }] : [];
  });
}
/** Words that say who does what. */
const acting = setOf(
  'i you we he she they me us your shall will would can could may do does did is are if but or',
);
/** Whether a word is neither a deed nor a time, place or amount, which are compared individually. */
const isIdle = (word: string) =>
  !acting.has(word) &&
  !halting.has(word) &&
  !isDeed(canonical(word)) &&
  !isDateWord(word) &&
  !/\d/.test(word) &&
  !isNumber(word) &&
  (word === 'of' || !isPreposition(word));

function wordsAt(words: readonly string[], at: number, before: Before, readBack: ReadBack): Repeated[] {
  const [word = '', next = ''] = words.slice(at);
  const mayJoin = next !== '' && !isNumber(next);
  // "Check-up" is one word or two.
  const forms: [string, number][] = [[word, at + 1]];
  if (mayJoin) forms.push([word + next, at + 2]);
  return forms.flatMap(([text, end]): Repeated[] => {
    if (isJoint(text) || (isNumber(text) && !isRepeat(text))) return [];
    const what = canonical(text);
    if (!mayRepeat(text, words[end] ?? '', what, before, readBack)) return [];
    const rest = words.slice(end);
    const same = (readBack.words.get(what) ?? []).filter(
      (place) =>
        isSameRole(place, before, rest) &&
        isSamePlace(place, word, before, readBack) &&
        isSameCount(place, word, before, readBack),
    );
    if (same.length === 0) return [];
    if (isDateWord(text)) return [{ is: 'day', what, end, chunks: [] }];
    const is = before.is === 'number' || before.is === 'counted' ? 'counted' : 'word';
    const chunks = same.flatMap(({ chunk, goesOn }) => (goesOn ? [chunk, chunk + 1] : [chunk]));
    return [{ is, what, end, chunks }];
  });
}

/** A deed that differs from the read-back's is not just a word. */
function mayRepeat(word: string, next: string, stem: string, before: Before, { deeds }: ReadBack): boolean {
  const isFree = before.is === 'nothing' && before.preposition === '';
  const isEnd = word === 'end' && next === 'of';
  if (halting.has(word) && !isEnd && isFree) return false;
  if (deeds.has(stem)) return word !== 'cancel';
  // "The refund" and "Orchard Close" are things.
  const isThing = /^(?:article|word|number|counted)$/.test(before.is);
  if (removals.has(stem) && !isEnd && !isThing) return false;
  return !isDeed(stem) || !isFree || isNumber(next);
}

/** Whether a word has the same governing preposition and the same preceding word. */
function isSamePlace(place: Place, word: string, before: Before, { pairs }: ReadBack): boolean {
  const { preposition, chunks } = before;
  const isPlain = preposition === '' || preposition === 'from' || plainly.has(preposition);
  if (!isPlain && place.preposition !== preposition) return false;
  if (isDateWord(word)) {
    const isBound = preposition !== 'of' && plainly.has(preposition);
    if (isBound && (limits.has(place.preposition) || place.preposition === 'per')) return false;
    // "This Monday" is not "next Monday".
    return !(isWeekday(word) && before.what === 'this' && pairs.has(`next ${word}`));
  }
  if (chunks.length === 0 || chunks.includes(place.chunk)) return true;
  // "Double room breakfast" omits a preposition.
  const isLoose = before.is !== 'number' && place.preposition !== '' && place.preposition !== 'of';
  return isLoose && chunks.includes(place.chunk - 1);
}

/** "A ticket" differs from "two tickets", and "for a month" is not a rate. */
function isSameCount(place: Place, word: string, before: Before, { values, pairs }: ReadBack): boolean {
  if (before.is !== 'article' || !/^an?$/.test(before.what)) return true;
  if (isSpan(word)) {
    const isSame = before.preposition === '' || before.preposition === place.preposition;
    return isSame && pairs.has(`${before.what} ${word}`);
  }
  return values.every(
    ({ chunk, at, figures, kind }) =>
      chunk !== place.chunk || at > place.at || figures === '1' || kind !== 'number',
  );
}
