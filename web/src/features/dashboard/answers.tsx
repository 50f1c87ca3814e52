import { Link } from 'react-router';
import { cn } from '#web/lib/class-names';
import { formatNumber, formatPercent } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { Card, CardBody, CardHeader, CardTitle } from '#web/ui/card';
import { outcomeIcons, outcomeNames } from '#web/ui/conversation/outcome-badge';
import type { ShownStats } from './api.ts';
import { type CountedOutcome, countedOutcomes, outcomeShare } from './figures/outcomes.ts';

const fills: Record<CountedOutcome, string> = {
  answered: 'bg-positive',
  offered: 'bg-neutral',
  declined: 'bg-negative',
  handover: 'bg-accent',
};

/** The number of answered questions, and the outcomes of the others; each number links to its conversations. */
export function Answers({ stats, className }: { stats: ShownStats | null; className?: string }) {
  const breakdown = stats?.outcomeBreakdown ?? null;
  const { counts, total, percent } = outcomeShare(breakdown ?? {});
  // An unknown number is not zero.
  const unknown = stats ? '–' : '...';
  return (
    <Card className={cn('flex flex-col', className)}>
      <CardHeader>
        <CardTitle>{t('answers.title')}</CardTitle>
      </CardHeader>
      <CardBody className="flex flex-1 flex-col pt-4 pb-3 sm:pt-4 sm:pb-4">
        <p className="flex items-baseline gap-2.5">
          <span className="font-semibold text-3xl">{breakdown ? formatPercent(percent) : unknown}</span>
          <span className="text-ink-muted text-sm">
            {stats && !breakdown
              ? t('answers.unknown')
              : stats && total === 0
                ? t('answers.none')
                : t('answers.share')}
          </span>
        </p>
        <div
          role="img"
          aria-label={
            breakdown
              ? t('answers.spoken', counts)
              : stats
                ? t('answers.spokenUnknown')
                : t('answers.spokenLoading')
          }
          className="mt-4 flex h-2.5 gap-0.5 overflow-hidden rounded-full bg-sunken"
        >
          {countedOutcomes.map(
            (each) =>
              counts[each] > 0 && (
                <span key={each} className={`${fills[each]} min-w-1.5`} style={{ flexGrow: counts[each] }} />
              ),
          )}
        </div>
        <ul className="mt-4 flex flex-1 flex-col divide-y divide-line text-sm">
          {countedOutcomes.map((each) => {
            const Icon = outcomeIcons[each];
            return (
              <li key={each} className="flex flex-1">
                <Link
                  to={`/conversations?outcome=${each}`}
                  className="group -mx-2 flex min-h-9 flex-1 items-center gap-2 rounded-sm px-2 transition-colors hover:bg-sunken"
                >
                  <span aria-hidden="true" className={`size-2 rounded-full ${fills[each]}`} />
                  <Icon aria-hidden className="size-3.5 text-ink-faint" />
                  <span className="text-ink-muted group-hover:text-ink">{outcomeNames[each]}</span>{' '}
                  <span className="numbers ml-auto font-medium">
                    {breakdown ? formatNumber(counts[each]) : unknown}
                  </span>
                </Link>
              </li>
            );
          })}
        </ul>
      </CardBody>
    </Card>
  );
}
