import { ChartNoAxesColumn } from 'lucide-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { sentiments } from '#shared/conversations';
import type { Period } from '#shared/insights';
import { t } from '#web/texts/dashboard';
import { Card, CardHeader, CardTitle } from '#web/ui/card';
import { sentimentNames } from '#web/ui/conversation/sentiment-badge';
import { Skeleton } from '#web/ui/skeleton';
import { isBeforeFirstCall, type ShownDay, type ShownStats } from './api.ts';
import { longDay, summariseCalls, summariseSentiment } from './figures/calls-summary.ts';
import { PeriodSwitch } from './period-switch.tsx';
import { SentimentKey } from './sentiment-key.tsx';

/** The chart library is large: it loads after the figures, and only if there is something to draw. */
const CallsChart = lazy(async () => ({ default: (await import('./charts.tsx')).CallsChart }));
const SentimentChart = lazy(async () => ({ default: (await import('./charts.tsx')).SentimentChart }));

interface CallsOverTimeProps {
  stats: ShownStats | null;
  period: Period;
  onPeriod: (period: Period) => void;
}

/** Calls per day and their moods, each as a picture, a sentence and a table for screen readers. */
export function CallsOverTime({ stats, period, onPeriod }: CallsOverTimeProps) {
  const daily = stats?.daily ?? [];
  const nothingYet = isBeforeFirstCall(stats);
  return (
    <Card className="flex flex-1 flex-col">
      <CardHeader>
        <CardTitle>{t('overTime.title')}</CardTitle>
        {!nothingYet && <PeriodSwitch value={period} onChange={onPeriod} />}
      </CardHeader>
      {nothingYet ? (
        <BeforeTheFirstCall />
      ) : (
        <div className="relative flex flex-1 flex-col gap-7 px-5 pt-5 pb-5 sm:px-6 sm:pb-6">
          <Chart title={t('overTime.calls')} summary={stats ? summariseCalls(daily) : '...'}>
            {stats && <CallsChart daily={daily} />}
          </Chart>
          <Chart
            title={t('overTime.sentiment')}
            summary={stats ? summariseSentiment(daily) : '...'}
            legend={<SentimentKey />}
          >
            {stats && <SentimentChart daily={daily} />}
          </Chart>
          <DaysTable daily={daily} />
        </div>
      )}
    </Card>
  );
}

interface ChartProps {
  title: string;
  summary: string;
  legend?: ReactNode;
  children: ReactNode;
}

function Chart({ title, summary, legend, children }: ChartProps) {
  return (
    <section aria-label={title}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="font-medium">{title}</h3>
        {legend}
      </div>
      <p className="text-ink-muted text-sm">{summary}</p>
      <div aria-hidden="true" className="mt-3 h-44">
        <Suspense fallback={<ChartSkeleton />}>{children || <ChartSkeleton />}</Suspense>
      </div>
    </section>
  );
}

const ChartSkeleton = () => <Skeleton className="h-full w-full rounded-md" />;

/** The charts' data, day by day, for screen readers. */
function DaysTable({ daily }: { daily: readonly ShownDay[] }) {
  if (daily.length === 0) return null;
  return (
    <div className="sr-only">
      <table>
        <caption>{t('overTime.caption')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('overTime.day')}</th>
            <th scope="col">{t('overTime.callsColumn')}</th>
            {sentiments.map((label) => (
              <th key={label} scope="col">
                {sentimentNames[label]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {daily.map((day) => (
            <tr key={day.date}>
              <th scope="row">{longDay(day.date)}</th>
              <td>{day.calls}</td>
              {sentiments.map((label) => (
                <td key={label}>{day.sentiment[label]}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const ghostBars = [
  ['a', 22],
  ['b', 34],
  ['c', 28],
  ['d', 46],
  ['e', 40],
  ['f', 58],
  ['g', 52],
  ['h', 66],
  ['i', 60],
  ['j', 78],
  ['k', 72],
  ['l', 90],
] as const;

/** The first day: announces the charts. */
function BeforeTheFirstCall() {
  return (
    <div className="relative flex flex-1 flex-col items-center justify-center overflow-hidden px-6 py-14 text-center">
      <div
        aria-hidden="true"
        className="absolute inset-x-6 bottom-0 flex h-3/5 items-end gap-2 opacity-60 [mask-image:linear-gradient(transparent,black)] sm:gap-3"
      >
        {ghostBars.map(([key, height]) => (
          <span key={key} className="flex-1 rounded-t-sm bg-sunken" style={{ height: `${height}%` }} />
        ))}
      </div>
      <span className="relative grid size-12 place-items-center rounded-full bg-accent-soft text-accent-text">
        <ChartNoAxesColumn aria-hidden="true" className="size-5.5" />
      </span>
      <h3 className="relative mt-4 font-semibold text-lg">{t('overTime.empty')}</h3>
      <p className="relative mt-1.5 max-w-sm text-ink-muted">{t('overTime.emptyText')}</p>
    </div>
  );
}
