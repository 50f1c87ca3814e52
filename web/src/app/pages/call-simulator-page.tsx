import { ArrowLeft } from 'lucide-react';
import { useEffect, useState } from 'react';
import { Link, useLocation, useNavigate } from 'react-router';
import { DEFAULT_AGENT_LABEL } from '#shared/agents';
import { useUser } from '#web/features/accounts/auth';
import { useEndCall } from '#web/features/calls/api';
import { CallWindow } from '#web/features/calls/screen/call-window';
import { EngineNote } from '#web/features/calls/screen/engine-note';
import { useCall } from '#web/features/calls/use-call';
import { useConversationUpdates } from '#web/features/conversations/api';
import { useCallNotice } from '#web/lib/server/call-notice';
import { endSession, getSession } from '#web/lib/server/session';
import { useServerStatus } from '#web/lib/server/status';
import { useStoredFlag } from '#web/lib/use-stored-flag';
import { t } from '#web/texts/calls';
import { Button } from '#web/ui/button';
import { PageTitle } from '#web/ui/page';

const QUESTIONS = [
  t('simulator.suggestOpeningHours'),
  t('simulator.suggestReturn'),
  t('simulator.suggestDelivery'),
  t('simulator.suggestPayment'),
];

/** The demo call. A new visit is a new call; a reload continues the open one. */
export function CallSimulatorPage() {
  const [round, setRound] = useState(0);
  return <DemoCall key={round} isFirst={round === 0} onNewCall={() => setRound(round + 1)} />;
}

function DemoCall({ isFirst, onNewCall }: { isFirst: boolean; onNewCall: () => void }) {
  const user = useUser();
  const navigate = useNavigate();
  const location = useLocation();
  const [voiceOn, setVoiceOn] = useStoredFlag('sigma.voice', true);
  const { data: status } = useServerStatus();
  const notice = useCallNotice();
  const endCall = useEndCall();
  const call = useCall({
    user,
    token: getSession().token ?? '',
    target: { kind: 'simulator' },
    conversationId: isFirst ? openConversation(location.state) : null,
    voice: voiceOn,
    onSignedOut: () => endSession('expired'),
    onUpdated: useConversationUpdates(),
  });
  const { conversationId, agent } = call.state;

  useEffect(() => {
    // Stores the call in the history entry, so that a reload finds it and a new visit does not.
    if (conversationId) navigate('.', { replace: true, state: { conversationId }, preventScrollReset: true });
  }, [conversationId, navigate]);

  const hangUp = () => {
    if (!conversationId) return;
    // A call without a word from the customer is not kept.
    const isKept = call.state.entries.some(({ kind }) => kind === 'customer');
    const record = isKept ? `/conversations/${conversationId}` : '/conversations';
    call.end();
    endCall.mutate(conversationId, { onSettled: () => navigate(record, { replace: true }) });
  };

  return (
    <>
      <PageTitle>
        {call.state.title ?? (agent ? t('page.titleWithAgent', { name: agent.name }) : t('page.title'))}
      </PageTitle>
      <CallWindow
        call={call}
        agent={{ name: agent?.name ?? DEFAULT_AGENT_LABEL, company: agent?.company ?? DEFAULT_AGENT_LABEL }}
        back={
          <Button asChild variant="ghost" size="icon" className="-ml-1">
            <Link to="/conversations" aria-label={t('simulator.backToConversations')}>
              <ArrowLeft aria-hidden="true" />
            </Link>
          </Button>
        }
        note={<EngineNote status={status} />}
        notice={notice}
        suggestions={QUESTIONS}
        draftKey="draft.simulator"
        voiceOn={voiceOn}
        onVoice={setVoiceOn}
        onEnd={hangUp}
        ending={endCall.isPending}
        onNewCall={onNewCall}
        className="h-[calc(100dvh-3.8125rem)] w-full lg:mx-auto lg:my-6 lg:h-[calc(100dvh-6.8125rem)] lg:min-h-[36rem] lg:w-[calc(100%-4rem)] lg:max-w-[68rem]"
      />
    </>
  );
}

/** The open conversation in the history entry. */
function openConversation(state: unknown): string | null {
  return typeof state === 'object' && state !== null && 'conversationId' in state
    ? String(state.conversationId)
    : null;
}
