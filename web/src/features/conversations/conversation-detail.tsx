import { Clock, Cpu, MessageSquareOff, Radio } from 'lucide-react';
import type { ReactNode } from 'react';
import { formatClock, formatCost, formatDateTime } from '#web/lib/formats';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/conversations';
import { OutcomeBadge } from '#web/ui/conversation/outcome-badge';
import { SentimentBadge } from '#web/ui/conversation/sentiment-badge';
import { channelNames, StateBadge } from '#web/ui/conversation/whereabouts';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { Spinner } from '#web/ui/spinner';
import { ActionRuns } from './action-runs.tsx';
import { isOfAnother, type ShownConversation, useConversation } from './api.ts';
import { ContactPanel } from './contact-panel.tsx';
import { ConversationMessages } from './conversation-messages.tsx';
import { TranscriptActions } from './transcript-actions.tsx';

interface ConversationDetailProps {
  id: string;
  /** The level of its heading: 1 if it is the whole page. */
  level?: 1 | 2;
  /** A link for the case that there is no such conversation. */
  elsewhere: ReactNode;
  /** Further actions on it. */
  actions: (conversation: ShownConversation) => ReactNode;
}

/** One conversation: its facts, its messages, and its actions. */
export function ConversationDetail({ id, level = 1, elsewhere, actions }: ConversationDetailProps) {
  const { data, error, isPending, refetch } = useConversation(id);
  if (isPending)
    return (
      <div role="status" className="flex items-center justify-center gap-2.5 py-24 text-ink-muted">
        <Spinner />
        {t('detail.loading')}
      </div>
    );
  if (data) return <Loaded conversation={data} level={level} actions={actions(data)} />;
  if (error instanceof ApiError && error.status === 404)
    return (
      <EmptyState
        icon={<MessageSquareOff aria-hidden="true" />}
        level={level}
        title={t('detail.notFound')}
        text={t('detail.notFoundText')}
      >
        {elsewhere}
      </EmptyState>
    );
  return <LoadProblem title={error.message || t('detail.loadFailed')} onRetry={() => void refetch()} />;
}

interface LoadedProps {
  conversation: ShownConversation;
  level: 1 | 2;
  actions: ReactNode;
}

function Loaded({ conversation, level, actions }: LoadedProps) {
  const { title, agentName, agentVersion, roomName, metadata, outcome, contact, modelUse } = conversation;
  const { channel, state, assignedTo } = conversation;
  const ofAnother = isOfAnother(conversation);
  const Heading = level === 1 ? 'h1' : 'h2';
  return (
    <>
      <header className="border-line border-b pb-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <Heading
            dir="auto"
            className={
              level === 1
                ? 'wrap-anywhere min-w-0 font-semibold text-2xl'
                : 'wrap-anywhere min-w-0 font-semibold text-xl'
            }
          >
            {title}
          </Heading>
          <div className="flex flex-wrap gap-2">
            {ofAnother && <StateBadge state={state} />}
            <OutcomeBadge outcome={outcome} />
            <SentimentBadge sentiment={metadata.sentiment} />
          </div>
        </div>
        <div className="numbers mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-ink-muted text-sm">
          <time dateTime={metadata.created}>{formatDateTime(metadata.created)}</time>
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden="true" className="size-4" />
            <span className="sr-only">{t('detail.duration')}</span>
            {formatClock(metadata.duration)}
          </span>
          {agentName && (
            <span className="wrap-anywhere min-w-0">
              {agentVersion === undefined
                ? t.rich('detail.agent', { name: agentName, agent: isolated })
                : t.rich('detail.agentVersion', { name: agentName, version: agentVersion, agent: isolated })}
            </span>
          )}
          {roomName && (
            <span className="wrap-anywhere inline-flex min-w-0 items-center gap-1.5">
              <Radio aria-hidden="true" className="size-4 shrink-0" />
              <span>{t.rich('detail.room', { name: roomName, room: isolated })}</span>
            </span>
          )}
          {ofAnother && channel && !roomName && <span>{channelNames[channel]}</span>}
          {assignedTo && (
            <span className="wrap-anywhere min-w-0">
              {t.rich('detail.assigned', { name: assignedTo.name, colleague: isolated })}
            </span>
          )}
          {modelUse && (
            <span className="inline-flex items-center gap-1.5">
              <Cpu aria-hidden="true" className="size-4" />
              <span className="sr-only">{t('detail.model')}</span>
              {t('detail.tokens', { count: modelUse.input + modelUse.output })}
              {modelUse.cost !== null && ` · ${formatCost(modelUse.cost)}`}
            </span>
          )}
        </div>
        <div className="mt-5 flex flex-wrap gap-2">
          <TranscriptActions conversation={conversation} />
          {actions}
        </div>
      </header>
      <ContactPanel contact={contact} level={level} />
      {conversation.agentId && !ofAnother && <ActionRuns conversationId={conversation._id} level={level} />}
      <div className="mt-7">
        <ConversationMessages key={conversation._id} conversation={conversation} />
      </div>
    </>
  );
}

const isolated = (name: ReactNode) => <bdi>{name}</bdi>;
