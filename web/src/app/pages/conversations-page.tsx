import { ArrowRight, MessagesSquare, Phone, RefreshCw, SearchX } from 'lucide-react';
import { type ComponentProps, useCallback, useMemo, useRef } from 'react';
import { Link, useNavigationType, useSearchParams } from 'react-router';
import { mayChangeAgents, useUser } from '#web/features/accounts/auth';
import { useAgents } from '#web/features/agents/api';
import { useServesOthers } from '#web/features/contacts/api';
import { useConversations, useFreshLists, useReanalyzeSentiment } from '#web/features/conversations/api';
import { useDeletion } from '#web/features/conversations/delete-conversation';
import { ConversationCardSkeleton } from '#web/features/conversations/list/conversation-card';
import { ConversationGrid } from '#web/features/conversations/list/conversation-grid';
import { FilterBar } from '#web/features/conversations/list/filter-bar';
import {
  type ConversationFilters,
  isFiltered,
  noFilters,
  readFilters,
  writeFilters,
} from '#web/features/conversations/list/filters';
import { WorkspaceFilters } from '#web/features/conversations/list/workspace-filters';
import { cn } from '#web/lib/class-names';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { Segments } from '#web/ui/forms/segments';
import { toast } from '#web/ui/layers/toast';
import { LoadProblem } from '#web/ui/load-problem';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function ConversationsPage() {
  const [address, setAddress] = useSearchParams();
  const user = useUser();
  const mayChange = mayChangeAgents(user);
  const filters = useMemo(() => {
    const read = readFilters(address);
    return mayChange ? read : readFilters(writeFilters({ ...read, everybody: false }));
  }, [address, mayChange]);
  const { everybody } = filters;
  const servesOthers = useServesOthers(mayChange) || everybody;
  const filtered = isFiltered(filters);
  useFreshLists(useNavigationType() === 'POP');
  const list = useConversations(filters);
  const conversations = useMemo(
    () => list.data?.pages.flatMap((page) => page.conversations) ?? [],
    [list.data],
  );
  const results = useRef<HTMLElement>(null);
  const deletion = useDeletion(() => results.current?.focus({ preventScroll: true }));
  const isEmpty = list.isSuccess && !list.isPlaceholderData && conversations.length === 0;
  const nothingYet = isEmpty && !filtered;

  const change = (next: ConversationFilters) =>
    // Each letter of a search that goes on is no step to go back by.
    setAddress(writeFilters(next), {
      replace: next.search.trim() !== '' && filters.search.trim() !== '',
    });
  const { fetchNextPage } = list;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);

  return (
    <PageColumn>
      <PageTitle>{t('list.title')}</PageTitle>
      <PageHeader
        title={t('list.title')}
        text={
          <>
            {t('list.text')}{' '}
            {mayChange && (
              <Link
                to="/unanswered"
                className="inline-flex items-center gap-1 whitespace-nowrap rounded-sm font-medium text-accent-text hover:underline hover:underline-offset-4"
              >
                {t('list.unanswered')}
                <ArrowRight aria-hidden="true" className="size-4" />
              </Link>
            )}{' '}
            {servesOthers && (
              <Link
                to="/contacts"
                className="ml-2 inline-flex items-center gap-1 whitespace-nowrap rounded-sm font-medium text-accent-text hover:underline hover:underline-offset-4"
              >
                {t('list.contacts')}
                <ArrowRight aria-hidden="true" className="size-4" />
              </Link>
            )}
          </>
        }
      >
        <ReanalyzeButton disabled={!list.isSuccess || nothingYet} />
        {!nothingYet && <StartCall />}
      </PageHeader>
      {servesOthers && (
        <div className="mt-7">
          <Segments
            label={t('list.whose')}
            value={everybody ? 'everybody' : 'mine'}
            onChange={(whose) => change({ ...filters, everybody: whose === 'everybody' })}
            choices={[
              { value: 'mine', label: t('list.mine') },
              { value: 'everybody', label: t('list.everybody') },
            ]}
          />
        </div>
      )}
      {!nothingYet && (
        <div className={servesOthers ? 'mt-4' : 'mt-7'}>
          <FilterBar filters={filters} onChange={change}>
            {everybody && <AgentFilters filters={filters} onChange={change} />}
          </FilterBar>
        </div>
      )}
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
            <Button variant="ghost" size="sm" onClick={() => change({ ...noFilters, everybody })}>
              {t('list.clearFilters')}
            </Button>
          )}
        </div>
        {list.isPending && (
          <div
            role="status"
            aria-label={t('list.loading')}
            className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3"
          >
            {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <ConversationCardSkeleton key={key} />
            ))}
          </div>
        )}
        {list.isError && conversations.length === 0 && (
          <LoadProblem title={t('list.loadFailed')} error={list.error} onRetry={() => void list.refetch()} />
        )}
        {nothingYet && (
          <EmptyState
            icon={<MessagesSquare aria-hidden="true" />}
            title={everybody ? t('list.emptyOfAll') : t('list.empty')}
            text={t('list.emptyText')}
          >
            <StartCall />
          </EmptyState>
        )}
        {isEmpty && filtered && (
          <EmptyState
            icon={<SearchX aria-hidden="true" />}
            title={t('list.noMatch')}
            text={t('list.noMatchText')}
          >
            <Button variant="secondary" onClick={() => change({ ...noFilters, everybody })}>
              {t('list.clearFilters')}
            </Button>
          </EmptyState>
        )}
        {conversations.length > 0 && (
          <ConversationGrid
            key={address.toString()}
            conversations={conversations}
            hasMore={list.hasNextPage && !list.isPlaceholderData}
            isFetchingMore={list.isFetchingNextPage || list.isFetchNextPageError}
            onMore={more}
            readerId={user._id}
            onDelete={deletion.ask}
          />
        )}
        {list.isFetchNextPageError && (
          <LoadProblem title={t('list.moreFailed')} error={list.error} onRetry={more} />
        )}
      </section>
      {deletion.dialog}
    </PageColumn>
  );
}

function AgentFilters(props: Omit<ComponentProps<typeof WorkspaceFilters>, 'agents'>) {
  const { data: agents = [] } = useAgents();
  return <WorkspaceFilters {...props} agents={agents} />;
}

function matches(count: number, hasMore: boolean): string {
  if (hasMore) return t('list.moreThan', { count });
  return count === 0 ? '' : t('list.matches', { count });
}

function ReanalyzeButton({ disabled }: { disabled: boolean }) {
  const reanalysis = useReanalyzeSentiment();
  const reanalyze = () =>
    reanalysis.mutate(undefined, {
      onSuccess: (count) => toast.success(t('list.reanalyzed', { count })),
      onError: (error) => {
        logProblem('The sentiment could not be analyzed again.', error);
        toast.error(t('list.reanalyzeFailed'));
      },
    });
  return (
    <Button variant="secondary" busy={reanalysis.isPending} disabled={disabled} onClick={reanalyze}>
      {!reanalysis.isPending && <RefreshCw aria-hidden="true" />}
      {t('list.reanalyze')}
    </Button>
  );
}

function StartCall() {
  return (
    <Button asChild>
      <Link to="/call-simulator">
        <Phone aria-hidden="true" />
        {t('list.startNewCall')}
      </Link>
    </Button>
  );
}
