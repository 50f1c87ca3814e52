import type { UseQueryResult } from '@tanstack/react-query';
import { Phone } from 'lucide-react';
import { Link } from 'react-router';
import { formatAgo, formatClock } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { CardHeader, CardTitle } from '#web/ui/card';
import { SentimentBadge } from '#web/ui/conversation/sentiment-badge';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import type { ShownConversation } from '../api.ts';

/** The newest calls in short, or an invitation to the first one. */
export function RecentConversations({ recent }: { recent: UseQueryResult<ShownConversation[]> }) {
  return (
    <>
      <CardHeader className="pb-4">
        <CardTitle>{t('recent.title')}</CardTitle>
      </CardHeader>
      <div className="flex-1 border-line border-t">
        <Content recent={recent} />
      </div>
    </>
  );
}

function Content({ recent }: { recent: UseQueryResult<ShownConversation[]> }) {
  if (recent.isPending)
    return (
      <div role="status" aria-label={t('recent.loading')}>
        {['a', 'b', 'c'].map((key) => (
          <div key={key} className="flex items-center gap-4 px-5 py-4 sm:px-6">
            <Skeleton className="h-5 flex-1" />
            <Skeleton className="h-6 w-20 rounded-full" />
          </div>
        ))}
      </div>
    );
  if (recent.isError && !recent.data)
    return <LoadProblem title={t('recent.loadFailed')} error={recent.error} onRetry={recent.refetch} />;
  if (recent.data.length === 0)
    return (
      <div className="grid grid-cols-[auto_minmax(0,1fr)] items-center gap-x-4 px-5 py-6 sm:grid-cols-[auto_minmax(0,1fr)_auto] sm:px-6">
        <span className="row-span-2 grid size-11 place-items-center rounded-full bg-accent-soft text-accent-text">
          <Phone aria-hidden="true" className="size-5" />
        </span>
        <h3 className="font-semibold text-lg">{t('recent.empty')}</h3>
        <p className="col-start-2 text-pretty text-ink-muted">{t('recent.emptyText')}</p>
        <Button asChild className="max-sm:col-span-2 max-sm:mt-4 sm:col-start-3 sm:row-span-2 sm:row-start-1">
          <Link to="/call-simulator">{t('recent.call')}</Link>
        </Button>
      </div>
    );
  return (
    <ul className="divide-y divide-line">
      {recent.data.map((conversation) => (
        <li
          key={conversation._id}
          className="group relative flex items-center gap-4 px-5 py-3.5 transition-colors hover:bg-sunken/60 sm:px-6"
        >
          <div className="min-w-0 flex-1">
            <Link
              to={`/conversations/${conversation._id}`}
              className="block truncate font-medium after:absolute after:inset-0"
            >
              {conversation.title}
            </Link>
            <p className="numbers truncate text-ink-faint text-sm">
              {formatAgo(conversation.metadata.created)} · {formatClock(conversation.metadata.duration)}
            </p>
          </div>
          <SentimentBadge sentiment={conversation.metadata.sentiment} />
        </li>
      ))}
    </ul>
  );
}
