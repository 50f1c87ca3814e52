import { numberOf, numberWords } from './spoken-numbers.ts';

/** A number as it was dictated, put right on the way. */
interface Dictated {
  figures: string;
  /** Where in the message it begins. */
  start: number;
  /** Nothing is told behind it: the rest may still be to come. */
  isLast: boolean;
  /** It was put right while it was said. */
  isPutRight: boolean;
  /** As it stands in the message. */
  said: string;
}

const sorry =
  '(?:(?:uh|um|er|(?<=[,.;!?–—]\\s?)oh),? )?(?:no|nope|sorry|wait|rather|actually|correction|i mean|i meant|make (?:it|that)|scratch that|hang on|hold on|my mistake|what am i saying)\\b|\\bstart(?:ing)? again\\b';
const piece = new RegExp(
  `(?<sorry>\\b(?:${sorry}))|(?<not>\\bnot\\b)|(?<number>\\b(?:${numberWords.join('|')})\\b|\\+?\\d+)|(?<word>[\\p{L}'’]+)|(?<pause>[,.;!?–—]|\\s-\\s)|(?<other>[^\\s\\p{L}\\d,.;!?–—-])`,
  'giu',
);
/** Words between two parts of a number that tell nothing. */
const between = new Set(
  "and then uh um er it it's its is that's thats that the rest next with plus number my ends end ending in so yes i said".split(
    ' ',
  ),
);
/** Nobody dictates more. */
const MAX_PIECES = 120;

interface Group {
  figures: string;
  /** It takes the place of what was said before it. */
  putsRight: boolean;
  /** It is what was not meant. */
  isNot: boolean;
}

/**
 * The longest number that is dictated in a message, in parts and pauses: "oh five, sorry, five oh", "not oh three, oh
 * double three".
 * @returns null where there is none
 */
export function dictatedIn(message: string): Dictated | null {
  const text = message.slice(0, 1_000);
  const runs: { groups: Group[]; start: number; end: number; isLast: boolean }[] = [];
  let run: (typeof runs)[number] | null = null;
  let group: string[] = [];
  let putsRight = false;
  let isNot = false;
  const endGroup = () => {
    if (group.length === 0) return;
    run?.groups.push({ figures: numberOf(group), putsRight, isNot });
    group = [];
    putsRight = false;
    isNot = false;
  };
  for (const { 0: said, index, groups: kinds } of [...text.matchAll(piece)].slice(0, MAX_PIECES)) {
    const word = said.toLowerCase();
    if (kinds?.number !== undefined) {
      if (!run) {
        run = { groups: [], start: index, end: index, isLast: true };
        runs.push(run);
      }
      if (/\d\d/.test(word) || /\d\d/.test(group.at(-1) ?? '')) endGroup();
      group.push(word.replace('+', ''));
      run.end = index + said.length;
    } else if (word === 'and' && /^(?:hundred|thousand)$/.test(group.at(-1) ?? '')) group.push(word);
    else {
      endGroup();
      if (kinds?.sorry !== undefined) putsRight = true;
      else if (kinds?.not !== undefined) isNot = true;
      else if (kinds?.pause === undefined && !between.has(word)) {
        if (run) run.isLast = false;
        run = null;
      }
    }
  }
  endGroup();
  return runs.reduce<Dictated | null>((longest, { groups, start, end, isLast }) => {
    const figures = together(groups);
    if (figures.length < (longest?.figures.length ?? 1)) return longest;
    const isPutRight = groups.some((each, at) => at > 0 && (each.putsRight || each.isNot));
    return { figures, start, isLast, isPutRight, said: text.slice(start, end) };
  }, null);
}

function together(groups: readonly Group[]): string {
  let number = '';
  let last = 0;
  let notMeant = '';
  /** Where the next figures go: behind all others, unless something before those was put right. */
  let next = 0;
  for (const { figures, putsRight, isNot } of groups) {
    if (isNot) {
      notMeant = figures;
      continue;
    }
    const negated = notMeant ? number.lastIndexOf(notMeant) : -1;
    const place = negated >= 0 ? negated : putsRight && number ? placeIn(number, figures, last) : next;
    const old = negated >= 0 ? notMeant.length : figures.length;
    number = `${number.slice(0, place)}${figures}${number.slice(place + old)}`;
    next = negated >= 0 ? number.length : place + figures.length;
    last = figures.length;
    notMeant = '';
  }
  return number;
}

/** What speaks for a place in which figures are said anew, in shares of them that differ. */
const AT_END = 0.3;
const LAST_GROUP = 0.25;
const FROM_START = 0.15;
const GOES_ON = 0.1;
const ONE_ALONE = 0.3;

/** The place of a number in which figures that were said anew fit best; they may go on behind its end. */
function placeIn(number: string, said: string, last: number): number {
  let best = Math.max(0, number.length - said.length);
  let least = Number.POSITIVE_INFINITY;
  for (let place = 0; place < number.length; place++) {
    const length = Math.min(said.length, number.length - place);
    const differ = difference(number.slice(place, place + length), said.slice(0, length));
    const goesOn = length < said.length;
    const isStart = place === 0 && said.length > 3;
    // Said once more as it was, it puts nothing right, unless it is the beginning of more.
    if (differ === 0 && !isStart && (length < 2 || !goesOn)) continue;
    const isEnd = place + said.length === number.length;
    const cost =
      differ / length -
      (isEnd ? AT_END : 0) -
      (isEnd && said.length === last ? LAST_GROUP : 0) -
      (isStart ? FROM_START : 0) +
      (goesOn ? GOES_ON : 0) +
      (length === 1 && goesOn ? ONE_ALONE : 0);
    if (cost < least) {
      best = place;
      least = cost;
    }
  }
  return best;
}

/** What two figures that changed places count: less than two others. */
const SWAPPED = 0.5;

function difference(one: string, other: string): number {
  let count = 0;
  for (let at = 0; at < one.length; at++) {
    if (one[at] === other[at]) continue;
    const isSwapped = one[at] === other[at + 1] && one[at + 1] === other[at];
    count += isSwapped ? SWAPPED : 1;
    if (isSwapped) at++;
  }
  return count;
}

/** A number within a country that begins with 0 has at least so many figures, and one that begins otherwise so many. */
const WITH_ZERO = 10;
const WITHOUT_ZERO = 7;

/** Whether as much as this may be all of a telephone number. */
export const isWholeNumber = (figures: string): boolean =>
  figures.length >= (figures.startsWith('0') ? WITH_ZERO : WITHOUT_ZERO) && figures.length <= 15;
