import { Clock } from 'lucide-react';
import { Link } from 'react-router';
import { formatClock, formatDateTime } from '#web/lib/formats';
import { SentimentBadge } from '#web/ui/sentiment-badge';
import { Skeleton } from '#web/ui/skeleton';
import type { ShownConversation } from './api.ts';

/** One past conversation; the whole card leads to it. */
export function ConversationCard({ conversation }: { conversation: ShownConversation }) {
  const { title, agentName, metadata } = conversation;
  return (
    <article className="group relative flex h-40 flex-col rounded-lg border border-line bg-surface p-5 shadow-lift transition-[border-color,box-shadow] hover:border-accent-line hover:shadow-float">
      <div className="flex items-start justify-between gap-3">
        <h2 className="line-clamp-2 font-semibold text-lg leading-6 tracking-[-0.01em]">
          <Link
            to={`/conversations/${conversation._id}`}
            className="after:absolute after:inset-0 after:rounded-lg"
          >
            {title}
          </Link>
        </h2>
        <SentimentBadge sentiment={metadata.sentiment} />
      </div>
      {agentName && <p className="mt-1 truncate text-ink-muted text-sm">{agentName}</p>}
      <div className="numbers mt-auto flex items-center justify-between gap-3 text-ink-faint text-sm">
        <span className="inline-flex items-center gap-1.5">
          <Clock aria-hidden="true" className="size-4" />
          <span className="sr-only">Duration</span>
          {formatClock(metadata.duration)}
        </span>
        <time dateTime={metadata.created}>{formatDateTime(metadata.created)}</time>
      </div>
    </article>
  );
}

export function ConversationCardSkeleton() {
  return (
    <div className="flex h-40 flex-col rounded-lg border border-line bg-surface p-5">
      <div className="flex justify-between gap-3">
        <Skeleton className="h-5 w-2/3" />
        <Skeleton className="h-6 w-20 rounded-full" />
      </div>
      <Skeleton className="mt-3 h-4 w-1/4" />
      <div className="mt-auto flex justify-between">
        <Skeleton className="h-4 w-12" />
        <Skeleton className="h-4 w-32" />
      </div>
    </div>
  );
}
