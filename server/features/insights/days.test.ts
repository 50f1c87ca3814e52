import { expect, it } from 'vitest';
import { lastDays, QUARTER_HOUR_MS } from './days.ts';

const hours = (day: { from: number; until: number } | undefined) => day && (day.until - day.from) / 4;
const startOf = (day: { from: number } | undefined) =>
  day && new Date(day.from * QUARTER_HOUR_MS).toISOString().slice(0, 16);

it('ends with the day that it is there, not in UTC', () => {
  const now = new Date('2026-11-20T11:30:00Z');
  const today = (zone: string) => lastDays(zone, 7, now).at(-1);
  expect(today('Pacific/Kiritimati')).toMatchObject({ date: '2026-11-21' });
  expect(today('Pacific/Pago_Pago')).toMatchObject({ date: '2026-11-20' });
  expect(startOf(today('Pacific/Kiritimati'))).toBe('2026-11-20T10:00');
  expect(startOf(today('Pacific/Pago_Pago'))).toBe('2026-11-20T11:00');
});

it.each([
  ['UTC', '2026-11-20T00:00'],
  ['America/New_York', '2026-11-20T05:00'],
  ['Asia/Kolkata', '2026-11-19T18:30'],
  ['Asia/Kathmandu', '2026-11-19T18:15'],
  ['America/St_Johns', '2026-11-20T03:30'],
])('begins a day at midnight of %s', (zone, start) => {
  expect(startOf(lastDays(zone, 7, new Date('2026-11-20T12:00:00Z')).at(-1))).toBe(start);
});

it.each([
  ['Europe/Berlin', '2026-03-29', 23],
  ['Europe/Berlin', '2026-10-25', 25],
  ['America/New_York', '2026-03-08', 23],
  ['America/New_York', '2026-11-01', 25],
  // Summer time shifts by half an hour.
  ['Australia/Lord_Howe', '2026-04-05', 24.5],
  ['Australia/Lord_Howe', '2026-10-04', 23.5],
  // The clock jumps from midnight to one: the day has no midnight.
  ['Africa/Cairo', '2026-04-24', 23],
  // The clock goes back at midnight: 23 o'clock comes twice.
  ['America/Nuuk', '2026-10-24', 25],
  // The day that Samoa skipped when it crossed the date line.
  ['Pacific/Apia', '2011-12-30', 0],
])('knows how long a day is where clocks change: %s on %s has %d hours', (zone, date, length) => {
  const days = lastDays(zone, 7, new Date(new Date(`${date}T12:00:00Z`).getTime() + 2 * 86_400_000));
  expect(hours(days.find((day) => day.date === date))).toBe(length);
});

it.each([
  'Europe/Berlin',
  'Asia/Kolkata',
  'America/Nuuk',
  'Australia/Lord_Howe',
  'Pacific/Apia',
  'Africa/Cairo',
])('covers a year in %s without a gap, each quarter of an hour in the day its clock shows', (zone) => {
  const days = lastDays(zone, 366, new Date('2026-12-31T12:00:00Z'));
  const shown = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short' });
  days.forEach((day, index) => {
    expect(days[index + 1]?.from ?? day.until).toBe(day.until);
    if (day.until === day.from) return;
    expect(shown.format(day.from * QUARTER_HOUR_MS)).toBe(day.date);
    expect(shown.format(day.until * QUARTER_HOUR_MS - 1)).toBe(day.date);
  });
});

it('refuses a name that is no time zone', () => {
  expect(() => lastDays('Mars/Olympus', 7, new Date())).toThrow(RangeError);
});
