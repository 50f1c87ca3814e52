import { describe, expect, it } from 'vitest';
import {
  formatAgo,
  formatAverage,
  formatClock,
  formatCost,
  formatDateTime,
  formatDay,
  formatList,
  formatNumber,
  formatPercent,
  formatTime,
  formatUnit,
} from './formats.ts';

/** A local time, so that the expected texts hold in every time zone. */
const local = (hours: number, minutes: number) => new Date(2026, 10, 5, hours, minutes).toISOString();

describe('times and dates', () => {
  it('shows a time as h:mm a', () => {
    expect(formatTime(local(15, 5))).toBe('3:05 PM');
    expect(formatTime(local(0, 30))).toBe('12:30 AM');
  });

  it('shows a date as MMM d, yyyy h:mm a', () => {
    expect(formatDateTime(local(9, 7))).toBe('Nov 5, 2026 9:07 AM');
  });

  it('shows a day of the calendar as MMM d, yyyy, or the parts that are asked for', () => {
    expect(formatDay('2026-11-05')).toBe('Nov 5, 2026');
    expect(formatDay('2026-11-05', { weekday: 'short', month: 'short', day: 'numeric' })).toBe('Thu, Nov 5');
    expect(formatDay('soon')).toBe('Invalid time');
  });

  it('says so when the time cannot be read', () => {
    expect(formatTime('yesterday-ish')).toBe('Invalid time');
    expect(formatDateTime('')).toBe('Invalid time');
  });
});

describe('lengths', () => {
  it('shows the length of a conversation as m:ss', () => {
    expect(formatClock(0)).toBe('0:00');
    expect(formatClock(65.9)).toBe('1:05');
    expect(formatClock(3_600)).toBe('60:00');
    expect(formatClock(Number.NaN)).toBe('0:00');
    expect(formatClock(-4)).toBe('0:00');
  });

  it('shows an average under a minute in seconds, a longer one in minutes and seconds', () => {
    expect(formatAverage(0)).toBe('0s');
    expect(formatAverage(59.4)).toBe('59s');
    expect(formatAverage(59.6)).toBe('1m 0s');
    expect(formatAverage(135)).toBe('2m 15s');
  });
});

describe('last activity', () => {
  const now = new Date('2026-11-20T12:00:00Z');

  it('is relative and ends in "ago"', () => {
    expect(formatAgo('2026-11-20T11:55:00Z', now)).toBe('5 minutes ago');
    expect(formatAgo('2026-11-20T11:59:00Z', now)).toBe('1 minute ago');
    expect(formatAgo('2026-11-20T10:00:01Z', now)).toBe('1 hour ago');
    expect(formatAgo('2026-11-18T12:00:00Z', now)).toBe('2 days ago');
    expect(formatAgo('2026-09-10T12:00:00Z', now)).toBe('2 months ago');
    expect(formatAgo('2023-01-01T12:00:00Z', now)).toBe('3 years ago');
  });

  it('is "Never" when absent or invalid', () => {
    expect(formatAgo(null, now)).toBe('Never');
    expect(formatAgo('not a date', now)).toBe('Never');
  });

  it('never lies in the future', () => {
    expect(formatAgo('2026-11-20T12:03:00Z', now)).toBe('less than a minute ago');
  });
});

it.each([
  [0, '$0.00'],
  [0.000_123, '$0.00012'],
  [0.0098, '$0.0098'],
  [0.064, '$0.06'],
  [1204.5, '$1,204.50'],
])('says what %d dollars are', (dollars, said) => {
  expect(formatCost(dollars)).toBe(said);
});

it('writes numbers, shares, amounts and lists as the language does', () => {
  expect(formatNumber(1204)).toBe('1,204');
  expect(formatPercent(85)).toBe('85%');
  expect(formatUnit(1.46, 'gigabyte', 1)).toBe('1.5 GB');
  expect(formatList(['a', 'b', 'c'])).toBe('a, b, and c');
});
