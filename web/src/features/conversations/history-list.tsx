import { useVirtualizer } from '@tanstack/react-virtual';
import { MessagesSquare } from 'lucide-react';
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { cn } from '#web/lib/class-names';
import { formatClock, formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { SentimentBadge } from '#web/ui/conversation/sentiment-badge';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { useConversations } from './api.ts';
import { noFilters } from './list/filters.ts';

const ROW_HEIGHT = 76;
const ROWS_AROUND = 6;

interface HistoryListProps {
  agentId: string;
  selected: string | null;
  onSelect: (conversationId: string) => void;
}

/** The conversations of one agent as a list, newest first; one of them is selected. */
export function HistoryList({ agentId, selected, onSelect }: HistoryListProps) {
  const list = useConversations(noFilters, { agentId });
  const conversations = useMemo(
    () => list.data?.pages.flatMap((page) => page.conversations) ?? [],
    [list.data],
  );
  const scroller = useRef<HTMLDivElement>(null);
  const virtualizer = useVirtualizer({
    count: conversations.length,
    estimateSize: () => ROW_HEIGHT,
    overscan: ROWS_AROUND,
    getScrollElement: useCallback(() => scroller.current, []),
    initialRect: { width: 320, height: 640 },
  });
  const rows = virtualizer.getVirtualItems();
  const lastShown = rows.at(-1)?.index ?? 0;
  const { hasNextPage, isFetching, fetchNextPage } = list;

  useEffect(() => {
    if (hasNextPage && !isFetching && lastShown >= conversations.length - ROWS_AROUND - 1)
      void fetchNextPage();
  }, [hasNextPage, isFetching, fetchNextPage, lastShown, conversations.length]);

  if (list.isPending)
    return (
      <div role="status" aria-label={t('list.loading')}>
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className="flex flex-col justify-center gap-2.5 px-5" style={{ height: ROW_HEIGHT }}>
            <Skeleton className="h-4 w-3/4" />
            <Skeleton className="h-3.5 w-1/2" />
          </div>
        ))}
      </div>
    );
  if (list.isError && conversations.length === 0)
    return <LoadProblem title={t('history.loadFailed')} onRetry={() => void list.refetch()} />;
  if (conversations.length === 0)
    return <EmptyState icon={<MessagesSquare aria-hidden="true" />} title={t('list.empty')} />;
  return (
    <div ref={scroller} className="min-h-0 flex-1 overflow-y-auto overscroll-contain">
      <ul aria-label={t('history.list')} className="relative" style={{ height: virtualizer.getTotalSize() }}>
        {rows.map((row) => {
          const conversation = conversations[row.index];
          if (!conversation) return null;
          const { _id, title, metadata } = conversation;
          return (
            <li
              key={_id}
              aria-posinset={row.index + 1}
              aria-setsize={hasNextPage ? -1 : conversations.length}
              className="absolute inset-x-0 top-0"
              style={{ height: ROW_HEIGHT, transform: `translateY(${row.start}px)` }}
            >
              <button
                type="button"
                aria-current={_id === selected || undefined}
                onClick={() => onSelect(_id)}
                className={cn(
                  'flex h-full w-full items-center gap-3 border-line border-b px-5 text-left transition-colors focus-visible:-outline-offset-2',
                  _id === selected ? 'bg-accent-soft' : 'hover:bg-sunken/60',
                )}
              >
                <span className="min-w-0 flex-1">
                  <span dir="auto" className="block truncate font-medium">
                    {title}
                  </span>
                  <span className="numbers block truncate text-ink-faint text-sm">
                    {formatDateTime(metadata.created)} · {formatClock(metadata.duration)}
                  </span>
                </span>
                <SentimentBadge sentiment={metadata.sentiment} />
              </button>
            </li>
          );
        })}
      </ul>
    </div>
  );
}
