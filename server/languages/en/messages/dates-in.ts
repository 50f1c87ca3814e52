import { DAY_ORDINALS, DAYS, MONTHS } from '../calendar.ts';
import { TO_NINETEEN } from '../number-names.ts';

const days = DAYS.map((day) => day.toLowerCase());
const months = MONTHS.map((month) => month.toLowerCase());
const counts = TO_NINETEEN.slice(0, 13);

/** Longest first, so that "twenty-first" is not read as "first". */
const byLength = (words: readonly string[]) => words.toSorted((a, b) => b.length - a.length).join('|');
const month = `(?:${months.map((name) => `${name.slice(0, 3)}(?:${name.slice(3)})?`).join('|')}|sept)\\.?`;
const day = `(?:\\d{1,2}(?:st|nd|rd|th)?|${byLength(DAY_ORDINALS).replaceAll('-', '[ -]')})`;
const year = '(?:,? (\\d{4}))?';
const dayFirst = new RegExp(`\\b(${day})(?: day)?(?: of)? (${month})\\b${year}`);
const monthFirst = new RegExp(`\\b(${month}) (?:the )?(${day})\\b${year}`);

/**
 * The date in a message, as 2026-12-04; null without one, or if it is ambiguous ("5/6"). Without a year, the
 * next such day.
 */
export function dateIn(message: string, today: Date): string | null {
  const text = message.toLowerCase().replace(/\s+/g, ' ');
  const iso = /\b(\d{4})-(\d{1,2})-(\d{1,2})\b/.exec(text);
  if (iso) return valid(Number(iso[1]), Number(iso[2]), Number(iso[3]));
  const named = dayFirst.exec(text);
  if (named) return next(today, monthOf(named[2]), dayOf(named[1]), named[3]);
  const turned = monthFirst.exec(text);
  if (turned) return next(today, monthOf(turned[1]), dayOf(turned[2]), turned[3]);
  const figures = /\b(\d{1,2})[./](\d{1,2})(?:[./](\d{4}|\d{2}))?(?![\d/]|\.\d)/.exec(text);
  if (figures) return fromFigures(today, Number(figures[1]), Number(figures[2]), figures[3]);
  if (/\bday after tomorrow\b/.test(text)) return later(today, 2);
  if (/\btomorrow\b/.test(text)) return later(today, 1);
  if (/\b(?:today|tonight|this (?:morning|afternoon|evening))\b/.test(text)) return later(today, 0);
  const ahead = new RegExp(`\\bin (an?|\\d{1,2}|${counts.join('|')}) (day|week)s?\\b`).exec(text);
  if (ahead) {
    const count = /^an?$/.test(ahead[1] ?? '') ? 1 : countOf(ahead[1] ?? '');
    return later(today, count * (ahead[2] === 'week' ? 7 : 1));
  }
  const weekday = days.findIndex((name) => new RegExp(`\\b${name}\\b`).test(text));
  return weekday < 0 ? null : later(today, ((weekday - today.getDay() + 6) % 7) + 1);
}

const countOf = (said: string) => (/\d/.test(said) ? Number(said) : counts.indexOf(said));
const monthOf = (said = '') => months.findIndex((name) => name.startsWith(said.slice(0, 3))) + 1;
const dayOf = (said = '') =>
  /^\d/.test(said) ? Number.parseInt(said, 10) : DAY_ORDINALS.indexOf(said.replace(' ', '-')) + 1;

/** Day and month in the only possible order; null if both orders are possible. */
function fromFigures(today: Date, one: number, two: number, year: string | undefined): string | null {
  if (one <= 12 && two <= 12 && one !== two) return null;
  const [day, month] = one > 12 || one === two ? [one, two] : [two, one];
  return next(today, month, day, year?.length === 2 ? `20${year}` : year);
}

function next(today: Date, month: number, day: number, year: string | undefined): string | null {
  if (year) return valid(Number(year), month, day);
  const thisYear = today.getFullYear();
  const soon = valid(thisYear, month, day);
  return soon && soon < written(today) ? valid(thisYear + 1, month, day) : soon;
}

const later = (today: Date, days: number) =>
  written(new Date(today.getFullYear(), today.getMonth(), today.getDate() + days));

function valid(year: number, month: number, day: number): string | null {
  const date = new Date(year, month - 1, day);
  return date.getMonth() === month - 1 && date.getDate() === day ? written(date) : null;
}

const written = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
