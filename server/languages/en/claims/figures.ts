import type { Figure } from '../../claims.ts';

const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const SCALES: Readonly<Record<string, number>> = { hundred: 100, thousand: 1_000, million: 1_000_000 };

/** Units as one word each, by how they are written. */
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
/** "30 calendar days": what may stand between a number and its unit. */
const BETWEEN = /^(?:business|working|calendar|full|more|consecutive|whole|us|extra|additional|-)$/;
const RANGE = /^(?:to|-|–|—|and|or)$/;

const TOKEN = /[$€£]|\d+(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?|%|[ap]\.m|\p{L}+|[-–—]/gu;

/** The numbers of an English text, in digits or in words, with their units; ranges share one. */
export function figuresIn(text: string): Figure[] {
  const tokens = text.toLowerCase().match(TOKEN) ?? [];
  const figures: (Figure & { end: number })[] = [];
  for (let at = 0; at < tokens.length; ) {
    const number = numberAt(tokens, at);
    if (!number) {
      at++;
      continue;
    }
    const unit =
      UNITS[/^[$€£]$/.test(tokens[at - 1] ?? '') ? (tokens[at - 1] ?? '') : ''] ??
      unitAfter(tokens, number.end);
    // "One" alone is mostly no number: "one of our colleagues".
    if (number.value !== '1' || unit !== null) figures.push({ value: number.value, unit, end: number.end });
    at = number.end;
  }
  return figures.map(({ value, unit, end }, n) => {
    const next = figures[n + 1];
    const isRange =
      next !== undefined && RANGE.test(tokens[end] ?? '') && numberAt(tokens, end + 1)?.end === next.end;
    return { value, unit: unit ?? (isRange ? next.unit : null) };
  });
}

function unitAfter(tokens: readonly string[], end: number): string | null {
  let at = end;
  while (BETWEEN.test(tokens[at] ?? '')) at++;
  return UNITS[tokens[at] ?? ''] ?? null;
}

/** The number that begins at a token, and the token after it. */
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
  return end === at ? null : { value: String(total + group), end };
}

/** "twenty" takes "three", "hundred" takes anything below it; "two three" are two numbers. */
const canFollow = (group: number, value: number) =>
  group % 100 === 0 ? value < 100 : group % 10 === 0 && group % 100 >= 20 && value < 10 && value > 0;

function smallNumber(word: string): number | null {
  const one = ONES.indexOf(word);
  if (one >= 0) return one;
  const ten = TENS.indexOf(word);
  return ten >= 0 ? 20 + ten * 10 : null;
}

const plainNumber = (digits: string) =>
  digits
    .replaceAll(',', '')
    .replace(/\.0+$/, '')
    .replace(/(\.\d*?)0+$/, '$1');
