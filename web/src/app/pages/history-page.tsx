import { ArrowLeft, MessageSquareText, Trash2 } from 'lucide-react';
import { useMemo } from 'react';
import { Link, Navigate, useLocation, useSearchParams } from 'react-router';
import type { AgentInState } from '#shared/agents';
import { useAuth } from '#web/features/accounts/auth';
import { AuthLoading } from '#web/features/accounts/auth-loading';
import { ConversationDetail } from '#web/features/conversations/conversation-detail';
import { useDeletion } from '#web/features/conversations/delete-conversation';
import { HistoryList } from '#web/features/conversations/history-list';
import { agentInState } from '#web/lib/agent-in-state';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { PageColumn, PageTitle } from '#web/ui/page';
import { CallAgain } from './conversation-call-again.tsx';

/**
 * Past conversations with one agent. The page has no guard of its own: without an agent in navigation state, or without
 * a signed-in user, it leads to the agents page, which has one.
 */
export function HistoryPage() {
  const { state } = useLocation();
  const { status, user } = useAuth();
  const agent = useMemo(() => agentInState(state), [state]);
  if (!agent || status === 'anonymous') return <Navigate to="/agents" replace />;
  if (!user) return <AuthLoading />;
  return <History agent={agent} />;
}

function History({ agent }: { agent: AgentInState }) {
  const { state } = useLocation();
  const [address, setAddress] = useSearchParams();
  const selected = address.get('conversation');
  const show = (id: string | null, replace = false) =>
    setAddress(id === null ? {} : { conversation: id }, { state, replace, preventScrollReset: true });
  const deletion = useDeletion(() => show(null, true));

  return (
    <PageColumn className="flex flex-col lg:h-[calc(100dvh-3.8125rem)] lg:min-h-[34rem] lg:py-7">
      <PageTitle>{t('history.title', { name: agent.name })}</PageTitle>
      <header className={cn('mb-5', selected && 'max-lg:hidden')}>
        <Link to="/agents" className={backClasses}>
          <ArrowLeft aria-hidden="true" className="size-4" />
          {t('history.backToAgents')}
        </Link>
        <h1 dir="auto" className="wrap-anywhere mt-2 font-semibold text-2xl">
          {agent.name}
        </h1>
        <p dir="auto" className="wrap-anywhere text-ink-muted">
          {agent.companyName}
        </p>
      </header>
      <div className="grid min-h-0 flex-1 gap-5 lg:grid-cols-[22rem_minmax(0,1fr)]">
        <section
          aria-label={t('history.list')}
          className={cn(
            'flex min-h-0 flex-col overflow-hidden rounded-lg border border-line bg-surface shadow-lift max-lg:h-[calc(100dvh-14rem)]',
            selected && 'max-lg:hidden',
          )}
        >
          <HistoryList agentId={agent._id} selected={selected} onSelect={(id) => show(id)} />
        </section>
        <section
          aria-label={t('history.selected')}
          className={cn(
            'min-h-0 lg:overflow-y-auto lg:rounded-lg lg:border lg:border-line lg:bg-canvas lg:p-7',
            !selected && 'max-lg:hidden',
          )}
        >
          {selected ? (
            <>
              <button type="button" onClick={() => show(null)} className={cn(backClasses, 'mb-4 lg:hidden')}>
                <ArrowLeft aria-hidden="true" className="size-4" />
                {t('history.all')}
              </button>
              <ConversationDetail
                key={selected}
                id={selected}
                level={2}
                elsewhere={
                  <Button variant="secondary" onClick={() => show(null)}>
                    {t('history.all')}
                  </Button>
                }
                actions={(conversation) => (
                  <>
                    <CallAgain conversation={conversation} />
                    <Button variant="ghost" size="sm" onClick={() => deletion.ask(conversation)}>
                      <Trash2 aria-hidden="true" />
                      {t('page.delete')}
                    </Button>
                  </>
                )}
              />
            </>
          ) : (
            <div className="grid h-full place-items-center py-16 text-center text-ink-muted">
              <div>
                <MessageSquareText aria-hidden="true" className="mx-auto mb-3 size-8 text-ink-faint" />
                <p>{t('history.nothingSelected')}</p>
              </div>
            </div>
          )}
        </section>
      </div>
      {deletion.dialog}
    </PageColumn>
  );
}

const backClasses =
  '-ml-1.5 inline-flex h-8 items-center gap-1.5 rounded-sm px-1.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink';
