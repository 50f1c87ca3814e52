import { numberOf, numberWords } from './spoken-numbers.ts';

/** A dictated number with its corrections applied. */
interface Dictated {
  figures: string;
  /** Index in the message where it begins. */
  start: number;
  /** Nothing follows it: the rest may still be to come. */
  isLast: boolean;
  /** It was corrected while it was said. */
  isPutRight: boolean;
  /** Its text in the message. */
  said: string;
}

const sorry =
  '(?:(?:uh|um|er|(?<=[,.;!?–—]\\s?)oh),? )?(?:no|nope|sorry|wait|rather|actually|correction|i mean|i meant|make (?:it|that)|scratch that|hang on|hold on|my mistake|what am i saying)\\b|\\bstart(?:ing)? again\\b';
const piece = new RegExp(
  `(?<sorry>\\b(?:${sorry}))|(?<not>\\bnot\\b)|(?<number>\\b(?:${numberWords.join('|')})\\b|\\+?\\d+)|(?<word>[\\p{L}'’]+)|(?<pause>[,.;!?–—]|\\s-\\s)|(?<other>[^\\s\\p{L}\\d,.;!?–—-])`,
  'giu',
);
/** Filler words between two parts of a number. */
const between = new Set(
  "and then after afterwards followed by finally lastly uh um er it it's its is that's thats that the rest next with plus number my ends end ending in so yes i said".split(
    ' ',
  ),
);
/** Other words beside a correction that do not end the number: "ach, no", "no, listen". */
const MAX_FILLERS = 2;
/** Longest dictation, in pieces. */
const MAX_PIECES = 120;

interface Group {
  figures: string;
  /** It replaces what was said before it. */
  putsRight: boolean;
  /** It is the wrong value. */
  isNot: boolean;
}

/**
 * The longest number dictated in a message, in parts and with pauses: "oh five, sorry, five oh", "not oh
 * three, oh double three".
 * @returns null if there is none
 */
export function dictatedIn(message: string): Dictated | null {
  const text = message.slice(0, 1_000);
  const runs: { groups: Group[]; start: number; end: number; isLast: boolean }[] = [];
  let run: (typeof runs)[number] | null = null;
  let group: string[] = [];
  let putsRight = false;
  let isNot = false;
  let fillers = 0;
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
      if (fillers > (putsRight ? MAX_FILLERS : 0)) run = null;
      fillers = 0;
      if (run) run.isLast = true;
      else {
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
        fillers++;
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
  /** Position of the next digits: at the end, unless earlier ones were corrected. */
  let next = 0;
  for (const { figures, putsRight, isNot } of groups) {
    if (isNot) {
      notMeant = figures;
      continue;
    }
    const negated = notMeant ? number.lastIndexOf(notMeant) : -1;
    const forgotten = putsRight ? forgottenBefore(number, figures) : 0;
    const old = negated >= 0 ? notMeant.length : forgotten || figures.length;
    const place =
      negated >= 0
        ? negated
        : forgotten
          ? number.length - forgotten
          : putsRight && number
            ? placeIn(number, figures, last)
            : next;
    number = `${number.slice(0, place)}${figures}${number.slice(place + old)}`;
    next = negated >= 0 ? number.length : place + figures.length;
    last = figures.length;
    notMeant = '';
  }
  return number;
}

/** Least digits that are known again behind a forgotten one. */
const KNOWN_AGAIN = 2;

/**
 * "Three seven seven, no, oh three seven seven": the last digits are said anew with one in front that was
 * forgotten.
 * @returns how many of the last digits they replace; 0 if it is nothing of the kind
 */
export function forgottenBefore(number: string, said: string): number {
  const known = said.slice(1);
  const isRepeated = number.endsWith(said);
  return known.length >= KNOWN_AGAIN && number.endsWith(known) && !isRepeated ? known.length : 0;
}

/** Bonus for certain positions of repeated digits, as a share of differing digits. */
const AT_END = 0.3;
const LAST_GROUP = 0.25;
const FROM_START = 0.15;
const GOES_ON = 0.1;
const ONE_ALONE = 0.3;

/** The position in a number where repeated digits fit best; they may extend it. */
function placeIn(number: string, said: string, last: number): number {
  let best = Math.max(0, number.length - said.length);
  let least = Number.POSITIVE_INFINITY;
  for (let place = 0; place < number.length; place++) {
    const length = Math.min(said.length, number.length - place);
    const differ = difference(number.slice(place, place + length), said.slice(0, length));
    const goesOn = length < said.length;
    const isStart = place === 0 && said.length > 3;
    // An exact repetition corrects nothing, unless more follows.
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

/** Weight of two transposed digits: less than two different ones. */
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

/** Least digits of a national number that begins with 0, and of others. */
const WITH_ZERO = 10;
const WITHOUT_ZERO = 7;

/** Digits needed to take a number in parts that was not asked for. */
export const UNASKED_FIGURES = 10;

/** Whether this many digits can be a complete telephone number. */
export const isWholeNumber = (figures: string): boolean =>
  figures.length >= (figures.startsWith('0') ? WITH_ZERO : WITHOUT_ZERO) && figures.length <= 15;
