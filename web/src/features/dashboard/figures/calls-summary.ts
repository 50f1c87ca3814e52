import { format, isValid, parseISO } from 'date-fns';
import { type Sentiment, sentiments } from '#shared/conversations';
import { formatCount } from '#web/lib/formats';
import { sentimentNames } from '#web/ui/conversation/sentiment-badge';
import type { ShownDay } from '../api.ts';

/** How many calls a period had and on which day most of them, in one sentence. */
export function summariseCalls(daily: readonly ShownDay[]): string {
  if (daily.length === 0) return 'Not known right now.';
  const total = daily.reduce((sum, day) => sum + day.calls, 0);
  const busiest = daily.reduce<ShownDay | null>(
    (best, day) => (day.calls > (best?.calls ?? 0) ? day : best),
    null,
  );
  if (!busiest) return `No calls in the last ${formatCount(daily.length, 'day')}.`;
  const most =
    total === busiest.calls
      ? `all on ${longDay(busiest.date)}`
      : `most on ${longDay(busiest.date)} (${busiest.calls.toLocaleString('en-US')})`;
  return `${formatCount(total, 'call')} in the last ${formatCount(daily.length, 'day')}, ${most}.`;
}

/** What the calls of a period were labelled, in one sentence. */
export function summariseSentiment(daily: readonly ShownDay[]): string {
  if (daily.length === 0) return 'Not known right now.';
  const of = (label: Sentiment) => daily.reduce((sum, day) => sum + day.sentiment[label], 0);
  const parts = sentiments
    .map((label) => ({ label, count: of(label) }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => `${count.toLocaleString('en-US')} ${sentimentNames[label].toLowerCase()}`);
  if (parts.length === 0) return 'No calls to judge.';
  return `${new Intl.ListFormat('en').format(parts)}.`;
}

/** A day as it stands under a chart, such as "Nov 3", or "Tue" where a week is shown. */
export function shortDay(date: string, days: number): string {
  return formatDay(date, days <= 7 ? 'EEE' : 'MMM d');
}

/** A day in full, such as "Tue, Nov 3". */
export function longDay(date: string): string {
  return formatDay(date, 'EEE, MMM d');
}

function formatDay(date: string, pattern: string): string {
  const day = parseISO(date);
  return isValid(day) ? format(day, pattern) : 'Invalid time';
}
