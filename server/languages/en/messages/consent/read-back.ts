import { DAYS, MONTHS } from '../../calendar.ts';
import { callsOf, deedsIn, endings, removals } from './deeds.ts';
import { type Place, placesOf } from './places.ts';
import { type Token, tokensOf, wordsOf } from './tokens.ts';
import { hoursShown, isClock, isNumber, ordinalAt, type ValueKind, valuesAt } from './values.ts';
import { canonical, isDateWord, isJoint, isMonth } from './vocabulary.ts';

export interface ValuePlace extends Place {
  figures: string;
  kind: ValueKind;
  /** Index after it. */
  end: number;
  /** One end of a range: "between one and four". */
  isRangeEnd: boolean;
  /** Stem of what is counted; '' if nothing follows. */
  next: string;
  /** Part of a name: "7 Orchard Close". */
  isName: boolean;
  /** "One piece": the counted thing precedes it. */
  isPiece: boolean;
}

/** The literal question at the end of the read-back. */
type Asks = 'right' | 'okay' | 'want' | 'works' | 'may' | 'objection';

export interface ReadBack {
  /** Words by their compared form. */
  words: ReadonlyMap<string, readonly Place[]>;
  values: readonly ValuePlace[];
  /** Both ends of ranges: "between one and four". */
  ranges: readonly (readonly [string, string])[];
  /** Codes and addresses as letters, without hyphens. */
  spelled: readonly string[];
  /** Deeds as said. */
  ownDeeds: ReadonlySet<string>;
  /** The same with synonyms. */
  deeds: ReadonlySet<string>;
  /** It ends or removes something, as a refund undoes an order. */
  isRemoval: boolean;
  /** It ends something: "cancel that" may refer to it. */
  isEnding: boolean;
  /** Pairs of adjacent words. */
  pairs: ReadonlySet<string>;
  /** All words as said. */
  said: ReadonlySet<string>;
  /** Halves of the day mentioned: am, pm. */
  halves: ReadonlySet<string>;
  /**
   * What may be repeated word by word: after an action's name its labels and values, otherwise everything.
   */
  list: readonly string[];
  /** Whether these are labels and values. */
  isListed: boolean;
  /** It mentions a time. */
  hasTime: boolean;
  asks: ReadonlySet<Asks>;
}

/**
 * Analyses a read-back for comparison with an answer: its words, numbers and days with their roles, and the
 * deed.
 * @param today the day after it may be called tomorrow
 */
export function readReadBack(text: string, today: Date): ReadBack {
  const tokens = tokensOf(withDays(text, today));
  const words = wordsOf(tokens);
  const name = listed.exec(text)?.[1] ?? null;
  const places = placesOf(tokens, name !== null);
  const { values, ranges } = valuesIn(tokens, places);
  const ownDeeds = deedsIn(tokens, name);
  return {
    words: wordPlaces(tokens, places, values),
    values,
    ranges,
    spelled: spelledIn(text),
    ownDeeds,
    deeds: new Set([...ownDeeds].flatMap(callsOf)),
    isRemoval: [...ownDeeds].some((deed) => removals.has(deed)),
    isEnding: [...ownDeeds].some((deed) => endings.has(deed)),
    pairs: new Set(words.map((word, at) => `${word} ${words[at + 1] ?? ''}`)),
    said: new Set(words),
    halves: halvesIn(words),
    list: name === null ? words : words.slice(words.includes('with') ? words.indexOf('with') : words.length),
    isListed: name !== null,
    hasTime: words.some(isDateWord) || values.some(({ kind }) => kind !== 'number'),
    asks: asksIn(text),
  };
}

/** The agent's own read-back of an action: its name, then labels and values. */
const listed = /^just to check: ([^,.]+)/i;

/** Replaces dates such as "2030-05-07" by the words people use. */
const withDays = (text: string, today: Date) =>
  text.replace(/\b(\d{4})-(\d\d)-(\d\d)\b/g, (written, year: string, month: string, day: string) => {
    const date = new Date(Number(year), Number(month) - 1, Number(day));
    if (Number.isNaN(date.getTime())) return written;
    const away = Math.round((date.getTime() - midnightOf(today)) / DAY_MS);
    const relative = away === 0 ? 'today ' : away === 1 ? 'tomorrow ' : '';
    return `on ${relative}${DAYS[date.getDay()]} the ${date.getDate()}th of ${MONTHS[date.getMonth()]} ${year}`;
  });
const DAY_MS = 86_400_000;
const midnightOf = (day: Date) => new Date(day.getFullYear(), day.getMonth(), day.getDate()).getTime();

const questions: readonly [Asks, RegExp][] = [
  ['right', /\b(?:(?<!all )right|correct|accurate)\b/],
  ['okay', /\b(?:ok|okay|all right|alright|fine|works?|suits?)\b/],
  ['want', /\b(?:want|like)\b/],
  ['works', /\b(?:works?|suits?)\b/],
  ['may', /\b(?:can|may|could) i\b/],
  ['objection', /\b(?:objections?|mind|problem)\b/],
];

function asksIn(text: string): ReadonlySet<Asks> {
  const end = text.trimEnd();
  if (!end.endsWith('?')) return new Set();
  const start = Math.max(...['.', '!', '?'].map((mark) => end.lastIndexOf(mark, end.length - 2)));
  const question = end.slice(start + 1).toLowerCase();
  return new Set(questions.flatMap(([asks, form]) => (form.test(question) ? [asks] : [])));
}

const spelledIn = (text: string): string[] =>
  [
    ...(text.match(/(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g) ?? []),
    ...(text.match(/(?<![\w-])[A-Z\d]+(?:-[A-Z\d]+)*(?![\w-])/g) ?? []).filter(
      (code) => /[A-Z]/.test(code) && /\d/.test(code),
    ),
  ].map((spelled) => spelled.replaceAll('-', '').toLowerCase());

/** Words for an increase: "the premium goes up by 4.20" means that much more. */
const more = new Set(['up', 'extra', 'additional']);

function wordPlaces(
  tokens: readonly Token[],
  places: readonly Place[],
  values: readonly ValuePlace[],
): Map<string, Place[]> {
  const found = new Map<string, Place[]>();
  const add = (word: string, place: Place) => {
    const before = found.get(word);
    if (before) before.push(place);
    else found.set(word, [place]);
  };
  const counted = new Set(values.flatMap(({ at, end }) => rangeOf(at, end)));
  for (const [at, place] of places.entries()) {
    const text = tokens[at]?.text ?? '';
    if (more.has(text)) add('more', place);
    if (text === '?' || isJoint(text) || (counted.has(at) && !isMonth(text))) continue;
    add(canonical(text), place);
    const next = tokens[at + 1];
    // "Check-up" may also be written as one word.
    if (next && !next.isAfterBreak && !isJoint(next.text)) add(canonical(text + next.text), place);
  }
  return found;
}

const rangeOf = (from: number, end: number) =>
  Array.from({ length: end - from }, (_, further) => from + further);

const pieces = new Set('piece pieces unit units time times off pair copy copies'.split(' '));

function valuesIn(tokens: readonly Token[], places: readonly Place[]): Pick<ReadBack, 'values' | 'ranges'> {
  const words = wordsOf(tokens);
  const values: ValuePlace[] = [];
  const add = (at: number, end: number, figures: string, kind: ValueKind) => {
    const place = places[at];
    const isPiece = pieces.has(words[end] ?? '');
    if (place)
      values.push({ ...place, ...following(tokens, end), figures, kind, end, isPiece, isRangeEnd: false });
  };
  for (let at = 0; at < words.length; ) {
    const found = longestAt(tokens, words, at);
    // "A garlic bread" is one.
    if (!found && /^an?$/.test(words[at] ?? '')) add(at, at + 1, '1', 'number');
    for (const figures of found?.alternatives ?? [])
      for (const kind of found?.kinds ?? []) add(at, found?.end ?? at, figures, kind);
    at = found?.end ?? at + 1;
  }
  const ranges: [string, string][] = [];
  for (const [n, first] of values.entries())
    for (let m = n + 1; m < values.length; m++) {
      const second = values[m];
      if (!second || second.at - first.end > MAX_BETWEEN) break;
      if (!isRange(words, first, second)) continue;
      ranges.push([first.figures, second.figures]);
      first.isRangeEnd = true;
      second.isRangeEnd = true;
    }
  return { values, ranges };
}

/** The context after a number. */
function following(tokens: readonly Token[], end: number): Pick<ValuePlace, 'next' | 'isName'> {
  const { text = '?', isAfterBreak = true, isCapital = false } = tokens[end] ?? {};
  const isNoun = text !== '?' && !isAfterBreak && !isJoint(text) && !isDateWord(text) && !isClock(text);
  return { next: isNoun ? canonical(text) : '', isName: isNoun && isCapital };
}

/** Most words between the ends of a range: "11 October to the 13th". */
const MAX_BETWEEN = 4;

function isRange(words: readonly string[], first: ValuePlace, second: ValuePlace): boolean {
  if (second.at <= first.end) return false;
  const between = words
    .slice(first.end, second.at)
    .filter((word) => !isMonth(word) && !/^(?:the|of|am|pm)$/.test(word));
  const [joint = ''] = between;
  if (between.length !== 1) return false;
  return joint === 'and' ? first.preposition === 'between' : /^(?:to|until|till)$/.test(joint);
}

interface Longest {
  /** Other ways to say it: 17:40 as 5:40, 27.00 as 27. */
  alternatives: readonly string[];
  kinds: readonly ValueKind[];
  end: number;
}

/** The longest number from an index; figures and words are not combined. */
function longestAt(tokens: readonly Token[], words: readonly string[], at: number): Longest | null {
  const ordinal = ordinalAt(words, at);
  if (ordinal) return { alternatives: [ordinal.figures], kinds: ['ordinal'], end: ordinal.end };
  const first = words[at] ?? '';
  const isWritten = (word: string) => /^\d/.test(word);
  const value = valuesAt(words, at).findLast(
    ({ end }) =>
      words.slice(at, end).every((word) => !isNumber(word) || isWritten(word) === isWritten(first)) &&
      tokens.slice(at + 1, end).every(({ isAfterBreak }) => !isAfterBreak),
  );
  if (!value) return null;
  const { figures, kind, end } = value;
  const isBesideMonth = isMonth(words[end] ?? '') || isMonth(words[at - 1] ?? '');
  const shown = end === at + 1 || kind === 'time' ? hoursShown(first) : [];
  const isWhole = end === at + 1 && /[.,]00$/.test(first);
  return {
    alternatives: [...new Set([figures, ...shown, ...(isWhole ? [figures.slice(0, -2)] : [])])],
    kinds: [
      kind,
      ...(kind === 'number' && isBesideMonth ? (['ordinal'] as const) : []),
      ...(kind === 'number' && shown.length > 0 ? (['time'] as const) : []),
    ],
    end,
  };
}

function halvesIn(words: readonly string[]): Set<string> {
  const hours = words.flatMap((word) => /^(\d{1,2}):\d\d$/.exec(word)?.[1] ?? []).map(Number);
  const says = (...some: string[]) => some.some((word) => words.includes(word));
  const isMorning =
    says('morning') ||
    hours.some((hour) => hour < 12) ||
    words.some((word, at) => word === 'am' && isNumber(words[at - 1] ?? ''));
  const isLater = says('pm', 'afternoon', 'evening', 'tonight', 'night') || hours.some((hour) => hour > 12);
  return new Set([...(isMorning ? ['am'] : []), ...(isLater ? ['pm'] : [])]);
}
