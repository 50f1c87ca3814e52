import { MessagesSquare, Phone, SearchX } from 'lucide-react';
import { useCallback, useMemo, useRef } from 'react';
import { Link } from 'react-router';
import { useUser } from '#web/features/accounts/auth';
import type { useConversations } from '#web/features/conversations/api';
import { useDeletion } from '#web/features/conversations/delete-conversation';
import { ConversationCardSkeleton } from '#web/features/conversations/list/conversation-card';
import { ConversationGrid } from '#web/features/conversations/list/conversation-grid';
import { type ConversationFilters, isFiltered } from '#web/features/conversations/list/filters';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';

interface ConversationResultsProps {
  list: ReturnType<typeof useConversations>;
  filters: ConversationFilters;
  /** Identifies the search: another one begins at the top. */
  place: string;
  onClear: () => void;
}

/** The conversations found, or a text if there are none. */
export function ConversationResults({ list, filters, place, onClear }: ConversationResultsProps) {
  const { _id: readerId } = useUser();
  const conversations = useMemo(
    () => list.data?.pages.flatMap((page) => page.conversations) ?? [],
    [list.data],
  );
  const results = useRef<HTMLElement>(null);
  const deletion = useDeletion(() => results.current?.focus({ preventScroll: true }));
  const filtered = isFiltered(filters);
  const isEmpty = list.isSuccess && !list.isPlaceholderData && conversations.length === 0;
  const { fetchNextPage } = list;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  return (
    <>
      <section
        ref={results}
        tabIndex={-1}
        aria-label={t('list.results')}
        aria-busy={list.isPlaceholderData}
        className={cn('mt-6 outline-none transition-opacity', list.isPlaceholderData && 'opacity-55')}
      >
        <div className={cn('flex items-center gap-3', filtered && !isEmpty ? 'mb-4' : 'sr-only')}>
          <p role="status" className="numbers text-ink-muted text-sm">
            {filtered &&
              list.isSuccess &&
              !list.isPlaceholderData &&
              matches(conversations.length, list.hasNextPage)}
          </p>
          {filtered && !isEmpty && (
            <Button variant="ghost" size="sm" onClick={onClear}>
              {t('list.clearFilters')}
            </Button>
          )}
        </div>
        {list.isPending && <Loading />}
        {list.isError && conversations.length === 0 && (
          <LoadProblem title={t('list.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {isEmpty && <Nothing filtered={filtered} everybody={filters.everybody} onClear={onClear} />}
        {conversations.length > 0 && (
          <ConversationGrid
            key={place}
            conversations={conversations}
            hasMore={list.hasNextPage && !list.isPlaceholderData}
            isFetchingMore={list.isFetchingNextPage || list.isFetchNextPageError}
            onMore={more}
            readerId={readerId}
            onDelete={deletion.ask}
          />
        )}
        {list.isFetchNextPageError && (
          <LoadProblem title={t('list.moreFailed')} error={list.error} onRetry={more} />
        )}
      </section>
      {deletion.dialog}
    </>
  );
}

function Loading() {
  return (
    <div role="status" aria-label={t('list.loading')} className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
      {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
        <ConversationCardSkeleton key={key} />
      ))}
    </div>
  );
}

interface NothingProps {
  filtered: boolean;
  everybody: boolean;
  onClear: () => void;
}

function Nothing({ filtered, everybody, onClear }: NothingProps) {
  if (filtered)
    return (
      <EmptyState
        icon={<SearchX aria-hidden="true" />}
        title={t('list.noMatch')}
        text={t('list.noMatchText')}
      >
        <Button variant="secondary" onClick={onClear}>
          {t('list.clearFilters')}
        </Button>
      </EmptyState>
    );
  return (
    <EmptyState
      icon={<MessagesSquare aria-hidden="true" />}
      title={everybody ? t('list.emptyOfAll') : t('list.empty')}
      text={t('list.emptyText')}
    >
      <StartCall />
    </EmptyState>
  );
}

function matches(count: number, hasMore: boolean): string {
  if (hasMore) return t('list.moreThan', { count });
  return count === 0 ? '' : t('list.matches', { count });
}

export function StartCall() {
  return (
    <Button asChild>
      <Link to="/call-simulator">
        <Phone aria-hidden="true" />
        {t('list.startNewCall')}
      </Link>
    </Button>
  );
}
