import { ArrowRight, RefreshCw } from 'lucide-react';
import { type ComponentProps, useMemo } from 'react';
import { Link, useNavigationType, useSearchParams } from 'react-router';
import { mayChangeAgents, useUser } from '#web/features/accounts/auth';
import { useAgents } from '#web/features/agents/api';
import { useServesOthers } from '#web/features/contacts/api';
import { useConversations, useFreshLists, useReanalyzeSentiment } from '#web/features/conversations/api';
import { FilterBar } from '#web/features/conversations/list/filter-bar';
import {
  type ConversationFilters,
  isFiltered,
  noFilters,
  readFilters,
  writeFilters,
} from '#web/features/conversations/list/filters';
import { WorkspaceFilters } from '#web/features/conversations/list/workspace-filters';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { Segments } from '#web/ui/forms/segments';
import { toast } from '#web/ui/layers/toast';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';
import { ConversationResults, StartCall } from './conversation-results.tsx';

export function ConversationsPage() {
  const [address, setAddress] = useSearchParams();
  const mayChange = mayChangeAgents(useUser());
  const filters = useMemo(() => {
    const read = readFilters(address);
    return mayChange ? read : readFilters(writeFilters({ ...read, everybody: false }));
  }, [address, mayChange]);
  const { everybody } = filters;
  const servesOthers = useServesOthers(mayChange) || everybody;
  useFreshLists(useNavigationType() === 'POP');
  const list = useConversations(filters);
  const isEmpty = list.isSuccess && !list.isPlaceholderData && list.data.pages[0]?.conversations.length === 0;
  const nothingYet = isEmpty && !isFiltered(filters);

  const change = (next: ConversationFilters) =>
    // Typing more letters of a search adds no history entries.
    setAddress(writeFilters(next), {
      replace: next.search.trim() !== '' && filters.search.trim() !== '',
    });

  return (
    <PageColumn>
      <PageTitle>{t('list.title')}</PageTitle>
      <PageHeader
        title={t('list.title')}
        text={
          <>
            {t('list.text')} {mayChange && <WayTo page="/unanswered">{t('list.unanswered')}</WayTo>}{' '}
            {servesOthers && <WayTo page="/contacts">{t('list.contacts')}</WayTo>}
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
      <ConversationResults
        list={list}
        filters={filters}
        place={address.toString()}
        onClear={() => change({ ...noFilters, everybody })}
      />
    </PageColumn>
  );
}

function WayTo({ page, children }: { page: string; children: string }) {
  return (
    <Link
      to={page}
      className="mr-2 inline-flex items-center gap-1 whitespace-nowrap rounded-sm font-medium text-accent-text hover:underline hover:underline-offset-4"
    >
      {children}
      <ArrowRight aria-hidden="true" className="size-4" />
    </Link>
  );
}

function AgentFilters(props: Omit<ComponentProps<typeof WorkspaceFilters>, 'agents'>) {
  const { data: agents = [] } = useAgents();
  return <WorkspaceFilters {...props} agents={agents} />;
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
