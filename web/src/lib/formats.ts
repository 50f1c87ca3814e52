import { t } from '#web/texts/common';
import { locale } from '#web/texts/language';

/** Each is built once: building one takes longer than using it a hundred times. */
const times = new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' });
const days = new Intl.DateTimeFormat(locale, { dateStyle: 'medium' });
const numbers = new Intl.NumberFormat(locale);
const percents = new Intl.NumberFormat(locale, { style: 'percent' });
const lists = new Intl.ListFormat(locale);
const ages = new Intl.RelativeTimeFormat(locale);

/**
 * A time of day in the reader's time zone, in English `h:mm a`, such as "3:05 PM"; "Invalid time" if it is
 * not a time.
 */
export function formatTime(iso: string): string {
  const date = new Date(iso);
  return isValid(date) ? timeOf(date) : t('invalidTime');
}

/**
 * A date and time, in English `MMM d, yyyy h:mm a`, such as "Nov 20, 2026 3:05 PM"; "Invalid time" if it is
 * not a time.
 */
export function formatDateTime(iso: string): string {
  const date = new Date(iso);
  return isValid(date) ? t('dayAndTime', { day: days.format(date), time: timeOf(date) }) : t('invalidTime');
}

/**
 * A calendar date, in English `MMM d, yyyy`, or with the given parts; "Invalid time" if it is not a date.
 * @param day as `yyyy-MM-dd`
 */
export function formatDay(day: string, parts?: Intl.DateTimeFormatOptions): string {
  const date = new Date(`${day}T00:00`);
  if (!isValid(date)) return t('invalidTime');
  return parts ? date.toLocaleDateString(locale, parts) : days.format(date);
}

/** Length of a conversation in seconds as `m:ss`; an invalid length gives "0:00". */
export function formatClock(seconds: number): string {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.floor(seconds) : 0;
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`;
}

/** Average length in seconds: "{n}s" under a minute, otherwise "{m}m {s}s". */
export function formatAverage(seconds: number): string {
  const whole = Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds) : 0;
  return whole < 60
    ? t('seconds', { seconds: whole })
    : t('minutesAndSeconds', { minutes: Math.floor(whole / 60), seconds: whole % 60 });
}

const MINUTE_MS = 60_000;
/**
 * From longest to shortest, with their lengths in milliseconds; month and year are those of the mean
 * Gregorian year.
 */
const units = [
  ['year', 525_949 * MINUTE_MS],
  ['month', 43_829 * MINUTE_MS],
  ['day', 1_440 * MINUTE_MS],
  ['hour', 60 * MINUTE_MS],
  ['minute', MINUTE_MS],
] as const;

/**
 * Relative time, such as "5 minutes ago"; "Never" if absent or invalid. A future time, by a server's clock,
 * counts as now.
 */
export function formatAgo(iso: string | null, now: Date = new Date()): string {
  const date = iso ? new Date(iso) : null;
  if (!date || !isValid(date)) return t('never');
  const ms = now.getTime() - date.getTime();
  const [unit, length] = units.find(([, each]) => ms >= each) ?? [];
  return unit ? ages.format(-Math.floor(ms / length), unit) : t('momentAgo');
}

/** US dollars: to the cent, below a cent to two significant digits; "$0.00" for nothing. */
export function formatCost(dollars: number): string {
  const digits = dollars > 0 && dollars < 0.01 ? { maximumSignificantDigits: 2 } : {};
  return dollars.toLocaleString(locale, { style: 'currency', currency: 'USD', ...digits });
}

/** A number with separators: "1,204". */
export const formatNumber = (number: number): string => numbers.format(number);

/** Whole percent: "85%". */
export const formatPercent = (percent: number): string => percents.format(percent / 100);

/** An amount with its unit, such as "1.5 GB". @param digits after the point */
export const formatUnit = (amount: number, unit: 'megabyte' | 'gigabyte', digits: number): string =>
  amount.toLocaleString(locale, {
    style: 'unit',
    unit,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });

/** "a, b, and c" */
export const formatList = (parts: readonly string[]): string => lists.format(parts);

const isValid = (date: Date) => !Number.isNaN(date.getTime());
/** Some versions of Unicode's data put a narrow space before "PM", which not every font has. */
const timeOf = (date: Date) => times.format(date).replace('\u202f', ' ');
