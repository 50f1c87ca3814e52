import { ArrowLeft } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import { Link, Navigate, useLocation, useNavigate } from 'react-router';
import type { User } from '#shared/accounts';
import type { AgentInState } from '#shared/agents';
import { useAuth } from '#web/features/accounts/auth';
import { AuthLoading } from '#web/features/accounts/auth-loading';
import { useEndCall } from '#web/features/calls/api';
import { CallWindow } from '#web/features/calls/screen/call-window';
import { EngineNote } from '#web/features/calls/screen/engine-note';
import { useCall } from '#web/features/calls/use-call';
import { useConversationUpdates } from '#web/features/conversations/api';
import { agentInState } from '#web/lib/agent-in-state';
import { useCallNotice } from '#web/lib/server/call-notice';
import { endSession, getSession } from '#web/lib/server/session';
import { useServerStatus } from '#web/lib/server/status';
import { useStoredFlag } from '#web/lib/use-stored-flag';
import { t } from '#web/texts/calls';
import { Button } from '#web/ui/button';
import { PageColumn, PageTitle } from '#web/ui/page';

/**
 * A call with one of the user's agents. The page has no guard of its own: without an agent in navigation state, or
 * without a signed-in user, it leads to the agents page, which has one.
 */
export function AgentCallPage() {
  const { state } = useLocation();
  const { status, user } = useAuth();
  const agent = useMemo(() => agentInState(state), [state]);
  const [round, setRound] = useState(0);

  if (!agent || status === 'anonymous') return <Navigate to="/agents" replace />;
  if (!user) return <AuthLoading />;
  return (
    <AgentCall
      key={`${agent._id} ${round}`}
      user={user}
      agent={agent}
      isFirst={round === 0}
      onNewCall={() => setRound(round + 1)}
    />
  );
}

interface AgentCallProps {
  user: User;
  agent: AgentInState;
  isFirst: boolean;
  onNewCall: () => void;
}

function AgentCall({ user, agent, isFirst, onNewCall }: AgentCallProps) {
  const navigate = useNavigate();
  const location = useLocation();
  const [voiceOn, setVoiceOn] = useStoredFlag('sigma.voice', true);
  const { data: status } = useServerStatus();
  const notice = useCallNotice();
  const endCall = useEndCall();
  const { _id, name, companyName, personality, companyInfo, prompts } = agent;
  const call = useCall({
    user,
    token: getSession().token ?? '',
    target: {
      kind: 'agent',
      agentId: _id,
      agentInfo: { name, company: companyName, personality, companyInfo, prompts },
    },
    conversationId: isFirst ? openConversation(location.state) : null,
    voice: voiceOn,
    onSignedOut: () => endSession('expired'),
    onUpdated: useConversationUpdates(),
  });
  const { conversationId } = call.state;

  // biome-ignore lint/correctness/useExhaustiveDependencies: the agent it was opened with stays in the entry.
  useEffect(() => {
    // Stores the call in the history entry, so that a reload finds it and a new visit does not.
    if (conversationId)
      navigate('.', { replace: true, state: { agent, conversationId }, preventScrollReset: true });
  }, [conversationId, navigate]);

  const leave = () => navigate('/agents');
  const hangUp = () => {
    call.end();
    if (conversationId) endCall.mutate(conversationId, { onSettled: leave });
    else leave();
  };

  return (
    <PageColumn className="py-5 sm:py-8">
      <PageTitle>{call.state.title ?? t('page.titleWithAgent', { name })}</PageTitle>
      <header className="mb-4 flex items-center gap-3">
        <Button asChild variant="ghost" size="icon" className="-ml-2">
          <Link to="/agents" aria-label={t('page.backToAgents')}>
            <ArrowLeft aria-hidden="true" />
          </Link>
        </Button>
        <h1 className="font-semibold text-2xl">{t('page.title')}</h1>
      </header>
      <CallWindow
        call={call}
        agent={{ name, company: companyName }}
        titleLevel={2}
        compact
        showsErrors
        endsAlways
        note={<EngineNote status={status} />}
        notice={notice}
        suggestions={questionsIn(companyInfo)}
        draftKey={`draft.agent.${_id}`}
        voiceOn={voiceOn}
        onVoice={setVoiceOn}
        onEnd={hangUp}
        ending={endCall.isPending}
        onNewCall={onNewCall}
        className="h-[600px] rounded-xl border border-line shadow-float"
      />
    </PageColumn>
  );
}

/** The open conversation in the history entry. */
function openConversation(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'conversationId' in state
    ? String(state.conversationId)
    : null;
}

/** Up to four short questions from the company information, for example from an FAQ. */
function questionsIn(companyInfo: string): string[] {
  const lines = companyInfo.slice(0, 30_000).split('\n');
  const questions = lines
    .map((line) =>
      line
        .replace(/^[\s#*\-–•]*(?:Q\d*[:.)]\s*)?/i, '')
        .replace(/[*_]+/g, '')
        .trim(),
    )
    .filter((line) => /^\p{Lu}[^.!?]{8,70}\?$/u.test(line));
  return [...new Set(questions)].slice(0, 4);
}
