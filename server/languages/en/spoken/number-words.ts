import { TENS, TO_NINETEEN } from '../number-names.ts';

const GROUPS = ['', ' thousand', ' million', ' billion', ' trillion'] as const;
/** Longer numbers are read as digits. */
const MAX_DIGITS = 15;

const IRREGULAR_ORDINALS: Readonly<Record<string, string>> = {
  one: 'first',
  two: 'second',
  three: 'third',
  five: 'fifth',
  eight: 'eighth',
  nine: 'ninth',
  twelve: 'twelfth',
};

function belowThousand(value: number): string {
  const hundreds = Math.floor(value / 100);
  const rest = value % 100;
  const words = hundreds > 0 ? [`${TO_NINETEEN[hundreds]} hundred`] : [];
  if (rest > 0 && rest < 20) words.push(TO_NINETEEN[rest] ?? '');
  else if (rest >= 20)
    words.push(`${TENS[Math.floor(rest / 10) - 2]}${rest % 10 ? `-${TO_NINETEEN[rest % 10]}` : ''}`);
  return words.join(' ');
}

/** 1204 → "one thousand two hundred four", American English. `value` is a non-negative integer. */
export function cardinal(value: number): string {
  if (value === 0) return 'zero';
  const parts: string[] = [];
  let rest = value;
  for (const scale of GROUPS) {
    const group = rest % 1_000;
    if (group > 0) parts.unshift(`${belowThousand(group)}${scale}`);
    rest = Math.floor(rest / 1_000);
  }
  return parts.join(' ');
}

/** 21 → "twenty-first". */
export function ordinal(value: number): string {
  return cardinal(value).replace(/(?<![a-z])[a-z]+$/, (last) => {
    const irregular = IRREGULAR_ORDINALS[last];
    return irregular ?? (last.endsWith('y') ? `${last.slice(0, -1)}ieth` : `${last}th`);
  });
}

/** "204" → "two zero four". Other characters are dropped. */
export function digits(text: string): string {
  return [...text]
    .filter((character) => /\d/.test(character))
    .map((digit) => TO_NINETEEN[Number(digit)] ?? '')
    .join(' ');
}

/** "1048255" → "one zero four, eight two five five": in groups of three or four, as for dictation. */
export function digitGroups(text: string): string {
  const groups: string[] = [];
  let rest = text;
  while (rest.length > 4) {
    const size = rest.length === 8 || rest.length > 12 ? 4 : 3;
    groups.push(rest.slice(0, size));
    rest = rest.slice(size);
  }
  groups.push(rest);
  return groups.map(digits).join(', ');
}

/** "1,200.50" → "one thousand two hundred point five zero". Accepts thousands commas and a leading point. */
export function numberWords(text: string): string {
  const [whole = '', fraction] = text.replaceAll(',', '').split('.');
  const integer =
    whole.length > MAX_DIGITS ? digitGroups(whole) : whole === '' ? '' : cardinal(Number(whole));
  if (fraction === undefined || fraction === '') return integer;
  return `${integer} point ${digits(fraction)}`.trim();
}

/** 2026 → "twenty twenty-six", 1905 → "nineteen oh five", 2007 → "two thousand seven". */
export function year(value: number): string {
  const century = Math.floor(value / 100);
  const rest = value % 100;
  if (value < 1_000 || (value >= 2_000 && value < 2_010) || (rest === 0 && century % 10 === 0))
    return cardinal(value);
  if (rest === 0) return `${cardinal(century)} hundred`;
  return `${cardinal(century)} ${rest < 10 ? `oh ${TO_NINETEEN[rest]}` : cardinal(rest)}`;
}

/** Whether a number takes a singular noun: "1", "1.0". */
export const isOne = (text: string) => Number(text.replaceAll(',', '')) === 1 && !text.includes('.');

/** Matches one unsigned number as written. */
export const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3}){1,6}(?:\.\d+)?|\d+(?:\.\d+)?|\.\d+)`;
/** Separators of a range. */
export const TO = ' ?(?:[-–—−]|to|through) ?';

/** Abbreviations of large numbers after digits. */
export const SCALES: Readonly<Record<string, string>> = {
  k: 'thousand',
  thousand: 'thousand',
  m: 'million',
  mn: 'million',
  million: 'million',
  b: 'billion',
  bn: 'billion',
  billion: 'billion',
  trillion: 'trillion',
};
