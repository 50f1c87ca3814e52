import { fraction } from './fractions.ts';
import { cardinal, digitGroups, digits, NUMBER, numberWords, ordinal, SCALES, TO } from './number-words.ts';

const FRACTION = /(?<![\w/.,-])(?:(\d{1,4})[ -])?(\d{1,3})\/(\d{1,3})(?![\w/]|[.,]\d)/g;
const ORDINAL_RANGE = new RegExp(
  String.raw`(?<![\w.])(\d{1,4})(?:st|nd|rd|th)?${TO}(\d{1,4})(?:st|nd|rd|th)\b`,
  'g',
);
const ORDINAL = /(?<![\w.])(\d{1,6}|\d{1,3}(?:,\d{3}){1,4})(st|nd|rd|th)\b/gi;
const RANGE = new RegExp(`(?<![\\w.,/-])(-?)(${NUMBER}) ?[-–—] ?(${NUMBER})(?![\\w/%]|[.,]\\d|-\\d)`, 'g');
const CHAIN = /(?<![\w.-])\d{1,4}(?:-\d{1,4}){2,8}(?![\w-])/g;
const RATIO = /(?<![\w.:])(\d{1,3}):(\d{1,3})(?![\w:])/g;
const SCALED = /(?<![\w.])(\d+(?:\.\d+)?) ?(k|K|M|bn|million|billion|thousand)(?![\w])/g;
const RATING = /(?<![\w/.,])(\d{1,2}\.\d)\/(\d{1,3})(?![\w/])/g;
const COMMA_DECIMAL = /(?<![\w.,])(\d{1,3}),(\d)(?![\d,])/g;
/** "10 000": a space separates thousands only before zeros. */
const SPACED_THOUSANDS = /(?<![\w.,+-]|\d )([1-9]\d{0,2}) (000)(?![\w]|[.,]\d| \d)/g;
const LONG = /(?<![\w.,])\d{7,}(?![.,]?\d)/g;
const LEADING_ZERO = /(?<![\w.,])0\d{1,19}(?![.,]?\d)/g;
const COMPARISON: readonly [RegExp, string][] = [
  [/(?:<=|≤) ?(?=\d)/g, 'at most '],
  [/(?:>=|≥) ?(?=\d)/g, 'at least '],
  [/< ?(?=\d)/g, 'less than '],
  [/> ?(?=\d)/g, 'more than '],
  [/(?:(?<!\S)[~≈]|≈|~(?=[\d$£€])) ?(?=[\p{L}\d$£€])/gu, 'about '],
  [/± ?(?=\d)/g, 'plus or minus '],
];
const PLUS_AFTER = /(?<![\w.])(\d+(?:,\d{3}){0,5})\+(?!\d)/g;
const SIGNED = new RegExp(`(?<![\\w.,)]|\\w ?-)([-+])(${NUMBER})(?![\\w-])`, 'g');
const HOUSE_NUMBER =
  /(?<![\w.,#-])\d{3,4}(?= (?:\p{Lu}[\p{L}.]{0,20} ){1,3}(?:Street|Avenue|Road|Way|Drive|Square|Lane|Boulevard|Court|Place|Plaza|Parkway)\b)/gu;
const PLAIN = new RegExp(`(?<![A-Za-z_])(?:${NUMBER})(?=((?!s\\b)[A-Za-z])?)`, 'g');

/** Reads what other readers left: fractions, ordinals, ranges, ratios, and plain numbers. */
export function sayNumbers(text: string): string {
  return text
    .replace(/(?<![\w-])50[/-]50(?![\w-])/g, 'fifty-fifty')
    .replace(
      RATING,
      (_, rating: string, best: string) => `${numberWords(rating)} out of ${numberWords(best)}`,
    )
    .replace(COMMA_DECIMAL, '$1.$2')
    .replace(FRACTION, sayFraction)
    .replace(
      ORDINAL_RANGE,
      (_, from: string, to: string) => `${ordinal(Number(from))} to ${ordinal(Number(to))}`,
    )
    .replace(ORDINAL, (_, number: string, ending: string) =>
      ending === 'st' && !number.endsWith('1')
        ? `${numberWords(number)} stone`
        : ordinal(Number(number.replaceAll(',', ''))),
    )
    .replace(CHAIN, (chain) => chain.split('-').map(digits).join(', '))
    .replace(RANGE, (_, minus: string, from: string, to: string) => {
      return `${minus ? 'minus ' : ''}${numberWords(from)} to ${numberWords(to)}`;
    })
    .replace(RATIO, (_, a: string, b: string) => `${cardinal(Number(a))} to ${cardinal(Number(b))}`)
    .replace(
      SCALED,
      (_, amount: string, scale: string) => `${numberWords(amount)} ${SCALES[scale.toLowerCase()]}`,
    )
    .replace(HOUSE_NUMBER, houseNumber)
    .replace(LONG, (number) => (/0{5}$/.test(number) ? numberWords(number) : digitGroups(number)))
    .replace(LEADING_ZERO, digitGroups)
    .replace(PLUS_AFTER, (_, amount: string) => `${numberWords(amount)} plus`)
    .replace(
      SIGNED,
      (_, sign: string, amount: string) => `${sign === '-' ? 'minus' : 'plus'} ${numberWords(amount)}`,
    )
    .replace(PLAIN, (number, letter?: string) => `${numberWords(number)}${letter ? ' ' : ''}`);
}

/** "10 000 km" → "10000 km", after the reader of phone numbers. */
export const joinThousands = (text: string) => text.replace(SPACED_THOUSANDS, '$1$2');

/** Reads "< 5", "~20", "≥ 3" before the quantities they belong to. */
export const sayComparisons = (text: string) =>
  COMPARISON.reduce((result, [pattern, words]) => result.replace(pattern, words), text);

function sayFraction(_: string, whole: string | undefined, top: string, bottom: string): string {
  return fraction(whole, top, bottom);
}

/** 1450 → "fourteen fifty", 210 → "two ten". */
function houseNumber(number: string): string {
  const value = Number(number);
  if (value % 100 === 0 || value < 100) return cardinal(value);
  const rest = value % 100;
  return `${cardinal(Math.floor(value / 100))} ${rest < 10 ? `oh ${cardinal(rest)}` : cardinal(rest)}`;
}
