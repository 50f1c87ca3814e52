import { expect, it } from 'vitest';
import { longDay, shortDay, summariseCalls, summariseSentiment } from './calls-summary.ts';

const day = (date: string, positive: number, urgent = 0) => ({
  date,
  calls: positive + urgent,
  sentiment: { positive, neutral: 0, negative: 0, urgent },
});

it.each([
  [[], 'Not available right now.', 'Not available right now.'],
  [[day('2026-11-03', 0)], 'No calls in the last 1 day.', 'No calls to judge.'],
  [
    [day('2026-11-02', 0), day('2026-11-03', 1)],
    '1 call in the last 2 days, all on Tue, Nov 3.',
    '1 positive.',
  ],
  [
    [day('2026-11-02', 1_200), day('2026-11-03', 34, 1)],
    '1,235 calls in the last 2 days, most on Mon, Nov 2 (1,200).',
    '1,234 positive and 1 urgent.',
  ],
])('says what a period held', (daily, calls, sentiment) => {
  expect(summariseCalls(daily)).toBe(calls);
  expect(summariseSentiment(daily)).toBe(sentiment);
});

it('names a day by the calendar, whatever the time zone', () => {
  expect(longDay('2026-01-01')).toBe('Thu, Jan 1');
  expect(shortDay('2026-01-01', 7)).toBe('Thu');
  expect(shortDay('2026-01-01', 30)).toBe('Jan 1');
  expect(shortDay('someday', 30)).toBe('Invalid time');
});
