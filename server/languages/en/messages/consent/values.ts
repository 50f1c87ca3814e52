import { DAY_ORDINALS } from '../../calendar.ts';
import { numberOf, numberWords } from '../spoken-numbers.ts';

export type ValueKind = 'number' | 'time' | 'ordinal';

/** A number as its digits alone: 4:20 and "four twenty" are both 420. */
export interface Value {
  figures: string;
  kind: ValueKind;
  /** Index after it. */
  end: number;
}

const written = /^\d+(?:[.,:/]\d+)*$/;
const clockWords = new Set(["o'clock", 'oclock', 'am', 'pm']);
/** No number is longer than a telephone number said digit by digit. */
const MAX_WORDS = 16;

export const isClock = (word: string) => clockWords.has(word);
export const isNumber = (word: string) => numberWords.includes(word) || written.test(word);
/** "Double" counts only before a number. */
export const isRepeat = (word: string) => word === 'double' || word === 'triple';

/** All readings of a number from an index, shortest first. */
export function valuesAt(words: readonly string[], at: number): Value[] {
  const clock = clockAt(words, at);
  const ordinal = ordinalAt(words, at);
  return [...(ordinal ? [ordinal] : []), ...numbersAt(words, at), ...(clock ? [clock] : [])];
}

function numbersAt(words: readonly string[], at: number): Value[] {
  const found: Value[] = [];
  for (let end = at + 1; end <= Math.min(words.length, at + MAX_WORDS); end++) {
    const last = words[end - 1] ?? '';
    const isJoint = (last === 'and' || last === 'point') && end - 1 > at;
    if (!isNumber(last) && !isJoint) break;
    if (isJoint || isRepeat(last)) continue;
    const run = words.slice(at, end).filter((word) => word !== 'point');
    if (run.includes('and') && !isJoined(run)) break;
    const figures = figuresOf(run);
    const isTime = run.length === 1 && last.includes(':');
    found.push({ figures, kind: isTime ? 'time' : 'number', end });
    if (clockWords.has(words[end] ?? '')) found.push({ figures, kind: 'time', end: end + 1 });
  }
  return found;
}

/** "And" joins only a hundred and what follows: "two and four" are two numbers. */
const isJoined = (run: readonly string[]) =>
  run.every((word, at) => word !== 'and' || /^(?:hundred|thousand)$/.test(run[at - 1] ?? ''));

const figuresOf = (run: readonly string[]) => numberOf(run.map((word) => word.replace(/[.,:/]/g, '')));

/** "The fourteenth", "twenty first", "14th". */
export function ordinalAt(words: readonly string[], at: number): Value | null {
  const first = words[at] ?? '';
  if (/^\d+(?:st|nd|rd|th)$/.test(first))
    return { figures: String(Number.parseInt(first, 10)), kind: 'ordinal', end: at + 1 };
  for (const length of [2, 1]) {
    const day = DAY_ORDINALS.indexOf(words.slice(at, at + length).join('-'));
    if (day >= 0 && at + length <= words.length)
      return { figures: String(day + 1), kind: 'ordinal', end: at + length };
  }
  return null;
}

/** The spoken forms, in digits, of a clock time such as 17:40, 08:15 or 6.40; empty for anything else. */
export function hoursShown(word: string): string[] {
  const [, hours, minutes = ''] = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(word) ?? [];
  if (hours === undefined) return [];
  const each = [Number(hours), Number(hours) % 12 || 12].map((hour) => `${hour}${minutes}`);
  return minutes === '00' ? [...each, ...each.map((figures) => figures.slice(0, -2))] : each;
}

const minutes: Readonly<Record<string, number>> = { quarter: 15, half: 30 };

/** A clock time: "half past three", "half three", "twenty to four". */
function clockAt(words: readonly string[], at: number): Value | null {
  const start = /^(?:a|one)$/.test(words[at] ?? '') && words[at + 1] === 'quarter' ? at + 1 : at;
  const counted = minutes[words[start] ?? ''];
  const spoken = counted === undefined ? numbersAt(words, start).filter(isMinutes).at(-1) : undefined;
  const past = counted ?? (spoken ? Number(spoken.figures) : null);
  if (past === null) return null;
  let end = spoken?.end ?? start + 1;
  if (words[end] === 'minutes') end++;
  const joint = words[end] ?? '';
  const isHalf = words[start] === 'half' && isNumber(joint);
  const isPast = joint === 'past' || joint === 'after';
  const isTo = joint === 'to' || joint === 'before';
  if (!isHalf && !isPast && !isTo) return null;
  const hourAt = isHalf ? end : end + 1;
  const hours = numbersAt(words, hourAt).filter(
    ({ figures }) => Number(figures) >= 1 && Number(figures) <= 12,
  );
  const hour = hours[0];
  if (!hour) return null;
  const last = clockWords.has(words[hour.end] ?? '') ? hour.end + 1 : hour.end;
  const full = isTo ? (Number(hour.figures) === 1 ? 12 : Number(hour.figures) - 1) : Number(hour.figures);
  const shown = isTo ? 60 - past : past;
  return { figures: `${full}${String(shown).padStart(2, '0')}`, kind: 'time', end: last };
}

const isMinutes = ({ figures, kind }: Value) =>
  kind === 'number' && [5, 10, 20, 25].includes(Number(figures));
