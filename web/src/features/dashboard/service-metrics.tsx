import { Activity, Building2, Clock, MessageSquare, Phone } from 'lucide-react';
import { formatAgo, formatAverage, formatNumber } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { Card, CardHeader, CardTitle } from '#web/ui/card';
import type { ShownStats } from './api.ts';

/** The figures of the service; '...' while they are loading. */
export function ServiceMetrics({ stats }: { stats: ShownStats | null }) {
  const number = (value: number | undefined) => (value === undefined ? '...' : formatNumber(value));
  const metrics = [
    { label: t('metrics.calls'), value: number(stats?.totalCalls), icon: Phone },
    {
      label: t('metrics.duration'),
      value: stats ? formatAverage(stats.averageDuration) : '...',
      icon: Clock,
    },
    { label: t('metrics.messages'), value: number(stats?.totalMessages), icon: MessageSquare },
    { label: t('metrics.contexts'), value: number(stats?.companiesInteractedWith.length), icon: Building2 },
    {
      label: t('metrics.lastActivity'),
      value: stats ? formatAgo(stats.lastActivity) : '...',
      icon: Activity,
    },
  ];
  return (
    <Card className="@container flex flex-col">
      <CardHeader>
        <CardTitle>{t('metrics.title')}</CardTitle>
      </CardHeader>
      <dl
        aria-busy={stats === null}
        className="mt-5 grid flex-1 grid-cols-2 gap-px overflow-hidden rounded-b-lg border-line border-t bg-line @xl:grid-cols-3"
      >
        {metrics.map(({ label, value, icon: Icon }) => (
          <div
            key={label}
            className="flex flex-col justify-center gap-1.5 bg-surface px-5 py-5 last:col-span-2 sm:px-6 "
          >
            <dt className="flex items-center gap-2 text-ink-muted text-sm">
              <Icon aria-hidden="true" className="size-4 text-ink-faint" />
              {label}
            </dt>
            <dd className="font-semibold text-2xl">{value}</dd>
          </div>
        ))}
      </dl>
    </Card>
  );
}
