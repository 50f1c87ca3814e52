import { type ReactNode, useId } from 'react';
import { Bar, BarChart, CartesianGrid, ResponsiveContainer, Tooltip, XAxis, YAxis } from 'recharts';
import { sentiments } from '#shared/conversations';
import { formatNumber } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { sentimentNames } from '#web/ui/conversation/sentiment-badge';
import type { ShownDay } from './api.ts';
import { longDay, shortDay } from './figures/calls-summary.ts';
import { patternFill, SentimentPatterns } from './sentiment-patterns.tsx';

interface ChartProps {
  daily: readonly ShownDay[];
}

/** Conversations begun on each day. */
export function CallsChart({ daily }: ChartProps) {
  return (
    <DayChart daily={daily} describe={(day) => <p>{t('overTime.count', { count: day.calls })}</p>}>
      <Bar
        dataKey="calls"
        fill="var(--accent)"
        radius={[3, 3, 0, 0]}
        maxBarSize={28}
        isAnimationActive={false}
      />
    </DayChart>
  );
}

/** The same by sentiment: calm at the bottom, urgent on top. */
export function SentimentChart({ daily }: ChartProps) {
  const id = useId();
  return (
    <DayChart
      daily={daily}
      describe={(day) =>
        [...sentiments].reverse().map((label) => (
          <p key={label} className="flex justify-between gap-4">
            {sentimentNames[label]} <span className="numbers">{day.sentiment[label]}</span>
          </p>
        ))
      }
    >
      <SentimentPatterns id={id} />
      {sentiments.map((label) => (
        <Bar
          key={label}
          dataKey={(day: ShownDay) => day.sentiment[label]}
          name={sentimentNames[label]}
          stackId="sentiment"
          fill={patternFill(id, label)}
          stroke="var(--surface)"
          strokeWidth={daily.length > 31 ? 0 : 1}
          maxBarSize={28}
          isAnimationActive={false}
        />
      ))}
    </DayChart>
  );
}

interface DayChartProps extends ChartProps {
  describe: (day: ShownDay) => ReactNode;
  children: ReactNode;
}

/**
 * Days from left to right, whole numbers upwards. The text and the table beside it say the same, so it takes no focus.
 */
function DayChart({ daily, describe, children }: DayChartProps) {
  const tick = { fill: 'var(--ink-faint)', fontSize: 12 };
  return (
    <ResponsiveContainer width="100%" height="100%" initialDimension={{ width: 320, height: 176 }}>
      <BarChart
        data={[...daily]}
        accessibilityLayer={false}
        margin={{ top: 4, right: 0, bottom: 0, left: 0 }}
        barCategoryGap={daily.length > 31 ? 1 : '18%'}
      >
        <CartesianGrid vertical={false} stroke="var(--line)" />
        <XAxis
          dataKey="date"
          tickFormatter={(date: string) => shortDay(date, daily.length)}
          tick={tick}
          tickLine={false}
          axisLine={{ stroke: 'var(--line)' }}
          minTickGap={daily.length > 7 ? 28 : 4}
          interval="equidistantPreserveStart"
        />
        <YAxis
          allowDecimals={false}
          width="auto"
          tick={tick}
          tickLine={false}
          axisLine={false}
          tickCount={4}
          tickFormatter={(count: number) => formatNumber(count)}
        />
        <Tooltip
          cursor={{ fill: 'var(--sunken)' }}
          isAnimationActive={false}
          content={({ active, label }) => {
            const day = daily.find(({ date }) => date === label);
            if (!active || !day) return null;
            return (
              <div className="rounded-md border border-line bg-raised px-3 py-2 text-ink text-sm shadow-float">
                <p className="mb-0.5 font-medium">{longDay(day.date)}</p>
                {describe(day)}
              </div>
            );
          }}
        />
        {children}
      </BarChart>
    </ResponsiveContainer>
  );
}
