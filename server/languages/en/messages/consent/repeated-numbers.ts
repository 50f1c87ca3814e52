import { type Before, isSameRole, limits, type Repeated } from './before.ts';
import type { ReadBack, ValuePlace } from './read-back.ts';
import { type Value, valuesAt } from './values.ts';
import { canonical, isJoint, isMonth, plainly, setOf } from './vocabulary.ts';

/** Prepositions before clock times. */
const clockPrepositions = setOf('at until by before after between from around about');
const currencies = setOf('pound pounds quid dollar dollars bucks euro euros');
/** How far after a word its number may be: "order number 4471". */
const REACH = 3;

/** Numbers, days and times in an answer that repeat the read-back in the same sense: every reading. */
export const numbersRepeatedAt = (
  words: readonly string[],
  at: number,
  before: Before,
  readBack: ReadBack,
): Repeated[] => {
  const values = valuesAt(words, at);
  return [
    ...rangesFrom(values, words, before, readBack),
    ...[...values, ...pricesFrom(values, words, readBack)].flatMap((value) =>
      same(value, words, at, before, readBack),
    ),
  ];
};

/** "Between one and four": both ends. */
function rangesFrom(
  values: readonly Value[],
  words: readonly string[],
  { preposition, isNegated }: Before,
  { ranges }: ReadBack,
): Repeated[] {
  if (isNegated || !/^(?:between|from|for|at|)$/.test(preposition)) return [];
  return values.flatMap(({ figures, end }) => {
    const joint = isMonth(words[end] ?? '') || /^[ap]m$/.test(words[end] ?? '') ? end + 1 : end;
    if (!/^(?:to|and|until|till)$/.test(words[joint] ?? '')) return [];
    const others = valuesAt(words, words[joint + 1] === 'the' ? joint + 2 : joint + 1);
    return others
      .filter((other) => ranges.some(([first, second]) => first === figures && second === other.figures))
      .map((other): Repeated => ({ is: 'day', what: '', end: other.end, chunks: [] }));
  });
}

/** "Twenty-seven pounds fifty". */
function pricesFrom(values: readonly Value[], words: readonly string[], readBack: ReadBack): Value[] {
  return values.flatMap(({ figures, kind, end }) => {
    const unit = words[end] ?? '';
    if (kind !== 'number' || !currencies.has(unit) || !isCurrencyOf(unit, readBack)) return [];
    return valuesAt(words, words[end + 1] === 'and' ? end + 2 : end + 1)
      .filter((cents) => cents.kind === 'number' && cents.figures.length === 2)
      .map((cents): Value => ({ figures: figures + cents.figures, kind: 'number', end: cents.end }));
  });
}

const isCurrencyOf = (unit: string, { words }: ReadBack) =>
  words.has(canonical(unit)) || ![...currencies].some((each) => words.has(canonical(each)));

function same(
  value: Value,
  words: readonly string[],
  at: number,
  before: Before,
  readBack: ReadBack,
): Repeated[] {
  const { figures, kind, end } = value;
  const next = words[end] ?? '';
  const half = words[end - 1] ?? '';
  if ((half === 'am' || half === 'pm') && !readBack.halves.has(half)) return [];
  // Separate digits that form no number are not numbers.
  if (before.is === 'number' && kind === 'number') return [];
  const isBesideMonth = isMonth(next) || isMonth(words[at - 1] ?? '');
  const places = readBack.values.filter(
    (place) =>
      place.figures === figures &&
      !place.isRangeEnd &&
      isSameKind(value, place, isBesideMonth) &&
      isSameRole(place, before, words.slice(end)) &&
      isSameUse(value, place, before.preposition, next) &&
      (before.is !== 'word' || kind !== 'number' || isNumberOf(before.what, place, readBack)),
  );
  if (places.length === 0) return [];
  if (kind !== 'number') return [{ is: 'day', what: figures, end, chunks: [] }];
  const chunks = places.flatMap(({ chunk, isPiece }) => (isPiece ? [chunk, chunk - 1] : [chunk]));
  return [{ is: 'number', what: figures, end, chunks }];
}

function isSameKind({ kind }: Value, place: ValuePlace, isBesideMonth: boolean): boolean {
  switch (kind) {
    case 'ordinal':
      return place.kind === 'ordinal';
    case 'time':
      return place.kind === 'time' || (place.kind === 'number' && clockPrepositions.has(place.preposition));
    case 'number':
      return place.kind !== 'ordinal' || isBesideMonth;
  }
}

/**
 * Whether a number is used in the same sense: "for four" is not "at four", and a house number is not a time.
 */
function isSameUse({ kind }: Value, place: ValuePlace, preposition: string, next: string): boolean {
  const isAlone = canonical(next) !== place.next;
  if (kind === 'number' && isAlone) {
    // "At three Mila is collected" is not a count.
    if (place.isName && !(preposition === 'at' && place.preposition === 'at')) return false;
    if (preposition === 'at' && place.preposition !== 'at' && place.kind === 'number' && place.next !== '')
      return false;
  }
  if (kind === 'number' && place.kind === 'time' && preposition === 'for') return false;
  if (preposition === '' || preposition === place.preposition || preposition === 'from') return true;
  if (!plainly.has(preposition)) return false;
  if (kind === 'ordinal') return !limits.has(place.preposition);
  if (place.preposition !== '') return false;
  if (preposition === 'at' && place.kind === 'time') return true;
  // "At 34 pounds": the counted unit determines the kind of number.
  return !/^(?:at|for)$/.test(preposition) || (next !== '' && !isJoint(next));
}

/** "Order 4471": rejects a number that the read-back gives to another word, if this word has its own. */
const isNumberOf = (word: string, place: ValuePlace, { words, values }: ReadBack) =>
  (words.get(word) ?? []).some(({ at }) => {
    const own = values.find((value) => value.at > at && value.at - at <= REACH && value.kind === 'number');
    return own === undefined || own.at === place.at;
  });
