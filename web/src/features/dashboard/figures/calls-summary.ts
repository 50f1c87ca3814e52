import { type Sentiment, sentiments } from '#shared/conversations';
import { formatDay, formatList } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import type { ShownDay } from '../api.ts';

/** The number of calls in a period and the day with the most, in one sentence. */
export function summariseCalls(daily: readonly ShownDay[]): string {
  if (daily.length === 0) return t('summary.unknown');
  const days = daily.length;
  const total = daily.reduce((sum, day) => sum + day.calls, 0);
  const busiest = daily.reduce<ShownDay | null>(
    (best, day) => (day.calls > (best?.calls ?? 0) ? day : best),
    null,
  );
  if (!busiest) return t('summary.none', { days });
  const known = { calls: total, days, day: longDay(busiest.date) };
  return total === busiest.calls
    ? t('summary.allOn', known)
    : t('summary.mostOn', { ...known, most: busiest.calls });
}

/** The labels of a period's calls, in one sentence. */
export function summariseSentiment(daily: readonly ShownDay[]): string {
  if (daily.length === 0) return t('summary.unknown');
  const of = (label: Sentiment) => daily.reduce((sum, day) => sum + day.sentiment[label], 0);
  const parts = sentiments
    .map((label) => ({ label, count: of(label) }))
    .filter(({ count }) => count > 0)
    .map(({ label, count }) => t(`summary.${label}`, { count }));
  if (parts.length === 0) return t('summary.nothing');
  return `${formatList(parts)}.`;
}

/** A day under a chart, such as "Nov 3", or "Tue" for a week. */
export function shortDay(date: string, days: number): string {
  return formatDay(date, days <= 7 ? { weekday: 'short' } : { month: 'short', day: 'numeric' });
}

/** A day in full, such as "Tue, Nov 3". */
export function longDay(date: string): string {
  return formatDay(date, { weekday: 'short', month: 'short', day: 'numeric' });
}
