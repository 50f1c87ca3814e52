import type { Figure } from '../../claims.ts';
import { TENS, TO_NINETEEN } from '../number-names.ts';

const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000, million: 1_000_000 };

/** Units as one word each, by their spellings. */
const UNITS: Readonly<Record<string, string>> = Object.fromEntries(
  [
    'day days',
    'hour hours hr hrs h',
    'minute minutes min mins',
    'second seconds sec',
    'week weeks',
    'month months',
    'year years yr yrs',
    'percent % pct',
    'dollar $ dollars usd bucks',
    'cent cents',
    'euro € euros eur',
    'pound £ pounds gbp lb lbs',
    'am a.m',
    'pm p.m',
    'kilometre km kilometres kilometers kilometer',
    'mile miles',
    'kilogram kg kilograms kilos',
    'gram g grams',
    'metre m metres meters meter',
    'centimetre cm centimetres centimeters',
    'inch inches',
    'gigabyte gb gigabytes',
    'megabit mbps',
    'time times',
    'point points',
    'person people persons guests',
    'item items',
  ].flatMap((line) => {
    const [unit = '', ...others] = line.split(' ');
    return [unit, ...others].map((written) => [written, unit] as const);
  }),
);
/** Words that may separate a number and its unit: "30 calendar days". */
const BETWEEN = /^(?:business|working|calendar|full|more|consecutive|whole|us|extra|additional|-)$/;
const RANGE = /^(?:to|-|–|—|and|or)$/;

const TOKEN = /[$€£]|\d+(?:,\d{3})*(?:\.\d+)?|%|[ap]\.m|\p{L}+|[-–—]/gu;

/**
 * Normalises different spellings: "four dollars fifty", "half past six", "18:30", "half a percent", "noon".
 */
function inOneWay(text: string): string {
  return text
    .replace(/\b(\d{1,2})[:.](\d\d) ?(?=[ap]\.?m\b)/g, '$1 $2 ')
    .replace(/\b(\d{1,2}):(\d\d)\b/g, (_, hours: string, minutes: string) =>
      Number(hours) > 12 ? `${Number(hours) - 12} ${minutes} pm` : `${Number(hours)} ${minutes}`,
    )
    .replace(/\bhalf past (\w+)/g, '$1 30')
    .replace(/\b(?:a )?quarter past (\w+)/g, '$1 15')
    .replace(/\b(?:half (?:a|of a|of one) |a half )(?=\w)/g, '0.5 ')
    .replace(/\band a half\b/g, 'point five')
    .replace(/\bnoon\b|\bmidday\b/g, '12 pm')
    .replace(/\b(?:in the morning)\b/g, 'am')
    .replace(/\b(?:in the (?:afternoon|evening)|at night)\b/g, 'pm');
}

/**
 * The numbers of an English text, in digits or words, with units; ranges share a unit, dollars and cents form
 * one number.
 */
export function figuresIn(text: string): Figure[] {
  const tokens = inOneWay(text.toLowerCase()).match(TOKEN) ?? [];
  const figures: (Figure & { begin: number; end: number })[] = [];
  for (let at = 0; at < tokens.length; ) {
    const number = numberAt(tokens, at);
    if (!number) {
      at++;
      continue;
    }
    const sign = /^[$€£]$/.test(tokens[at - 1] ?? '') ? (tokens[at - 1] ?? '') : '';
    const unit = UNITS[sign] ?? unitAfter(tokens, number.end);
    figures.push({ value: number.value, unit, begin: at, end: number.end });
    at = number.end;
  }
  return withCents(figures, tokens)
    .map(({ value, unit, end }, n, all) => {
      const next = all[n + 1];
      const isRange = next !== undefined && RANGE.test(tokens[end] ?? '') && next.begin === end + 1;
      return { value, unit: unit ?? (isRange ? next.unit : null) };
    })
    .filter(({ value, unit }) => value !== '1' || unit !== null);
}

/** The text without its numbers and units. */
export const withoutFigures = (text: string): string =>
  text
    .toLowerCase()
    .split(/(?<=[\s-])|(?=[\s-])/)
    .filter((word) => {
      const bare = word.replace(/[^\p{L}\p{N}%$€£]/gu, '');
      return !(/\d/.test(bare) || bare in UNITS || bare in SCALES || smallNumber(bare) !== null);
    })
    .join('');

const MONEY = new Set(['dollar', 'euro', 'pound']);

/** "four dollars (and) fifty (cents)" is 4.5 dollars; "eighty-five cents" is 0.85 of an unnamed unit. */
function withCents<F extends Figure & { begin: number; end: number }>(
  figures: readonly F[],
  tokens: readonly string[],
): F[] {
  const all: F[] = [];
  for (const figure of figures) {
    const before = all.at(-1);
    const between = before ? tokens.slice(before.end, figure.begin) : [];
    const isCents =
      before?.unit &&
      MONEY.has(before.unit) &&
      !before.value.includes('.') &&
      Number(figure.value) < 100 &&
      (figure.unit === 'cent' || figure.unit === null) &&
      between.length > 0 &&
      between.every((token) => token === 'and' || UNITS[token] === before.unit) &&
      UNITS[between[0] ?? ''] === before.unit;
    if (before && isCents)
      all[all.length - 1] = {
        ...before,
        value: plainNumber(`${before.value}.${figure.value.padStart(2, '0')}`),
        end: figure.end,
      };
    else if (figure.unit === 'cent')
      all.push({ ...figure, value: plainNumber((Number(figure.value) / 100).toFixed(2)), unit: null });
    else all.push(figure);
  }
  return all;
}

function unitAfter(tokens: readonly string[], end: number): string | null {
  let at = end;
  while (BETWEEN.test(tokens[at] ?? '')) at++;
  return UNITS[tokens[at] ?? ''] ?? null;
}

/** The number that begins at a token, and the index after it. */
function numberAt(tokens: readonly string[], at: number): { value: string; end: number } | null {
  const token = tokens[at] ?? '';
  if (/^\d/.test(token)) return { value: plainNumber(token), end: at + 1 };
  let total = 0;
  let group = 0;
  let end = at;
  for (; end < tokens.length; end++) {
    const word = tokens[end] ?? '';
    const scale = SCALES[word];
    if (word === '-' && end > at && smallNumber(tokens[end + 1] ?? '') !== null) continue;
    if (
      word === 'and' &&
      end > at &&
      SCALES[tokens[end - 1] ?? ''] &&
      smallNumber(tokens[end + 1] ?? '') !== null
    )
      continue;
    if (scale !== undefined && end > at) {
      if (scale === 100) group *= 100;
      else {
        total += group * scale;
        group = 0;
      }
      continue;
    }
    const value = smallNumber(word);
    if (value === null || (end > at && !canFollow(group, value))) break;
    group += value;
  }
  if (end === at) return null;
  if (tokens[end] !== 'point') return { value: String(total + group), end };
  let decimals = '';
  for (end++; ; end++) {
    const digit = smallNumber(tokens[end] ?? '');
    if (digit === null || digit > 9) break;
    decimals += digit;
  }
  return { value: plainNumber(`${total + group}.${decimals}`), end };
}

/** "twenty" can be followed by "three", "hundred" by anything smaller; "two three" are two numbers. */
const canFollow = (group: number, value: number) =>
  group % 100 === 0 ? value < 100 : group % 10 === 0 && group % 100 >= 20 && value < 10 && value > 0;

function smallNumber(word: string): number | null {
  const one = TO_NINETEEN.indexOf(word);
  if (one >= 0) return one;
  const ten = TENS.indexOf(word);
  return ten >= 0 ? 20 + ten * 10 : null;
}

function plainNumber(digits: string): string {
  const number = digits.replaceAll(',', '');
  return number.includes('.') ? number.replace(/(?<!0)0+$/, '').replace(/\.$/, '') : number;
}
