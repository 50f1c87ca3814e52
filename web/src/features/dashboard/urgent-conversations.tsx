import { ArrowRight, ChevronRight } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { formatAgo } from '#web/lib/formats';
import { t } from '#web/texts/dashboard';
import { Card, CardHeader, CardTitle } from '#web/ui/card';
import { Skeleton } from '#web/ui/skeleton';
import { AllClear } from './all-clear.tsx';
import type { ShownStats } from './api.ts';
import { satisfaction } from './figures/satisfaction.ts';

/** The newest conversations that a person must look at, each with its link. */
export function UrgentConversations({ stats }: { stats: ShownStats | null }) {
  return (
    <Card className="flex flex-1 flex-col">
      <CardHeader className="pb-4">
        <CardTitle>{t('urgent.title')}</CardTitle>
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
      <div role="status" aria-label={t('urgent.loading')}>
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="px-5 py-4 sm:px-6">
            <Skeleton className="h-5 w-full" />
          </div>
        ))}
      </div>
    );
  if (stats.urgentConversations === null)
    return (
      <Note>
        {t('urgent.unknown')}{' '}
        <Link to="/conversations" className="font-medium text-accent-text hover:underline">
          {t('urgent.lookThrough')}
        </Link>
      </Note>
    );
  if (stats.urgentConversations.length === 0)
    return <AllClear title={t('urgent.none')} text={t('urgent.noneText')} />;
  const all = satisfaction(stats.sentimentBreakdown).counts.urgent;
  return (
    <>
      <ul className="divide-y divide-line">
        {stats.urgentConversations.map((conversation) => (
          <li
            key={conversation._id}
            className="group relative flex items-center gap-3 px-5 py-3 transition-colors hover:bg-sunken/60 sm:px-6"
          >
            <span aria-hidden="true" className="size-2 shrink-0 rounded-full bg-urgent" />
            <div className="min-w-0 flex-1">
              <Link
                to={`/conversations/${conversation._id}`}
                dir="auto"
                className="block truncate font-medium after:absolute after:inset-0"
              >
                {conversation.title}
              </Link>
              <p className="truncate text-ink-faint text-sm">{formatAgo(conversation.when)}</p>
            </div>
            <ChevronRight
              aria-hidden="true"
              className="size-4.5 shrink-0 text-ink-faint transition-transform group-hover:translate-x-0.5"
            />
          </li>
        ))}
      </ul>
      {all > stats.urgentConversations.length && (
        <Link
          to="/conversations?sentiment=urgent"
          className="mt-auto inline-flex items-center gap-1.5 self-start rounded-sm px-5 py-4 font-medium text-accent-text text-sm hover:underline hover:underline-offset-4 sm:px-6"
        >
          {t('urgent.all', { all })}
          <ArrowRight aria-hidden="true" className="size-4" />
        </Link>
      )}
    </>
  );
}

const Note = ({ children }: { children: ReactNode }) => (
  <p className="px-5 py-6 text-ink-muted text-sm sm:px-6">{children}</p>
);
