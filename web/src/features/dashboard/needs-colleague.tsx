import { ArrowRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatAgo } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { Card, CardHeader, CardTitle } from '#web/ui/card';
import { ContactLine, contactParts } from '#web/ui/conversation/contact-details';
import { Skeleton } from '#web/ui/skeleton';
import { AllClear } from './all-clear.tsx';
import type { ShownStats } from './api.ts';
import { outcomeShare } from './figures/outcomes.ts';

const ALL = '/conversations?outcome=handover';

/** The newest customers who wait for a person, with their contact details. */
export function NeedsColleague({ stats }: { stats: ShownStats | null }) {
  return (
    <Card className="flex flex-1 flex-col">
      <CardHeader className="pb-4">
        <CardTitle>{t('colleague.title')}</CardTitle>
      </CardHeader>
      <div className="flex flex-1 flex-col border-line border-t">
        <Content stats={stats} />
      </div>
    </Card>
  );
}

function Content({ stats }: { stats: ShownStats | null }) {
  if (!stats)
    return (
      <div role="status" aria-label={t('colleague.loading')} className="divide-y divide-line">
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="flex flex-col gap-2 px-5 py-4 sm:px-6">
            <Skeleton className="h-5 w-1/2" />
            <Skeleton className="h-4 w-4/5" />
          </div>
        ))}
      </div>
    );
  if (stats.needsColleague === null)
    return (
      <Note>
        {t('colleague.unknown')}{' '}
        <Link to={ALL} className="font-medium text-accent-text hover:underline">
          {t('colleague.lookThrough')}
        </Link>
      </Note>
    );
  if (stats.needsColleague.length === 0)
    return <AllClear title={t('colleague.none')} text={t('colleague.noneText')} />;
  const all = outcomeShare(stats.outcomeBreakdown ?? {}).counts.handover;
  return (
    <>
      <ul className="divide-y divide-line">
        {stats.needsColleague.map((conversation) => {
          const left = contactParts(conversation.contact).filter(({ kind }) => kind !== 'note');
          return (
            <li
              key={conversation._id}
              className="relative px-5 py-3 transition-colors hover:bg-sunken/60 sm:px-6"
            >
              <div className="flex items-baseline gap-4">
                <Link
                  to={`/conversations/${encodeURIComponent(conversation._id)}`}
                  dir="auto"
                  className="min-w-0 flex-1 truncate font-medium after:absolute after:inset-0"
                >
                  {conversation.title}
                </Link>
                <span className="shrink-0 text-ink-faint text-sm">{formatAgo(conversation.when)}</span>
              </div>
              {left.length > 0 ? (
                <ContactLine parts={left} className="mt-0.5" />
              ) : (
                <p className="mt-0.5 text-ink-faint text-sm">{t('colleague.unreachable')}</p>
              )}
            </li>
          );
        })}
      </ul>
      {all > stats.needsColleague.length && (
        <Link
          to={ALL}
          className="mt-auto inline-flex items-center gap-1.5 self-start rounded-sm px-5 py-4 font-medium text-accent-text text-sm hover:underline hover:underline-offset-4 sm:px-6"
        >
          {t('colleague.all', { all })}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      )}
    </>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="px-5 py-6 text-ink-muted text-sm sm:px-6">{children}</p>
);
