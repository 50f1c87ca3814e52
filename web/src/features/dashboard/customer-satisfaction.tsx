import { sentiments } from '#shared/conversations';
import { formatNumber, formatPercent } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { Card, CardBody, CardHeader, CardTitle } from '#web/ui/card';
import { sentimentFills, sentimentNames } from '#web/ui/conversation/sentiment-badge';
import type { ShownStats } from './api.ts';
import { satisfaction } from './figures/satisfaction.ts';

/** Customers' satisfaction: one figure, a bar of its parts, and the parts in words. */
export function CustomerSatisfaction({ stats }: { stats: ShownStats | null }) {
  const { counts, total, percent } = satisfaction(stats?.sentimentBreakdown ?? {});
  return (
    <Card className="flex flex-col">
      <CardHeader>
        <CardTitle>{t('satisfaction.title')}</CardTitle>
      </CardHeader>
      <CardBody className="flex flex-1 flex-col pt-4 sm:pt-4">
        <p className="flex items-baseline gap-2.5">
          <span className="font-semibold text-3xl">{stats ? formatPercent(percent) : '...'}</span>
          <span className="text-ink-muted text-sm">
            {stats && total === 0 ? t('satisfaction.none') : t('satisfaction.share')}
          </span>
        </p>
        <div
          role="img"
          aria-label={stats ? t('satisfaction.spoken', counts) : t('satisfaction.spokenLoading')}
          className="mt-4 flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-sunken"
        >
          {sentiments.map(
            (each) =>
              counts[each] > 0 && (
                <span
                  key={each}
                  className={`${sentimentFills[each]} min-w-1.5`}
                  style={{ flexGrow: counts[each] }}
                />
              ),
          )}
        </div>
        <dl className="mt-auto grid grid-cols-2 gap-x-6 gap-y-2.5 pt-5 text-sm">
          {sentiments.map((each) => (
            <div key={each} className="flex items-center gap-2">
              <span aria-hidden="true" className={`size-2 rounded-full ${sentimentFills[each]}`} />
              <dt className="text-ink-muted">{sentimentNames[each]}</dt>
              <dd className="numbers ml-auto font-medium">{stats ? formatNumber(counts[each]) : '...'}</dd>
            </div>
          ))}
        </dl>
      </CardBody>
    </Card>
  );
}
