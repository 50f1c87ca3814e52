import { ChevronRight } from 'lucide-react';
import { Link } from 'react-router';
import { formatDateTime } from '#web/lib/formats';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/conversations';
import { Skeleton } from '#web/ui/skeleton';
import { useConversation } from './api.ts';

/** A link to a conversation known only by its id: shows title and time once they are loaded. */
export function ConversationLink({ id }: { id: string }) {
  const { data, error, isPending } = useConversation(id);
  if (isPending)
    return (
      <div role="status" aria-label={t('link.loading')} className="py-2.5">
        <Skeleton className="h-5 w-3/5" />
      </div>
    );
  if (error instanceof ApiError && error.status === 404 && !data)
    return <p className="py-2 text-ink-faint text-sm">{t('link.deleted')}</p>;
  return (
    <Link
      to={`/conversations/${encodeURIComponent(id)}`}
      className="-mx-2 flex items-center gap-3 rounded-sm px-2 py-2 text-sm transition-colors hover:bg-sunken"
    >
      <span className="flex min-w-0 flex-1 flex-col sm:flex-row sm:items-baseline sm:gap-3">
        <span dir="auto" className="min-w-0 truncate font-medium sm:flex-1">
          {data?.title ?? t('page.title')}
        </span>
        {data && (
          <span className="numbers shrink-0 text-ink-faint">{formatDateTime(data.metadata.created)}</span>
        )}
      </span>
      <ChevronRight aria-hidden="true" className="size-4 shrink-0 text-ink-faint" />
    </Link>
  );
}
