import { ArrowLeft, Clock, MessageSquareOff } from 'lucide-react';
import { Link, useParams } from 'react-router';
import { type ShownConversation, useConversation } from '#web/features/conversations/api';
import { ConversationMessages } from '#web/features/conversations/conversation-messages';
import { ApiError } from '#web/lib/api-client';
import { formatClock, formatDateTime } from '#web/lib/formats';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { PageColumn, PageTitle } from '#web/ui/page';
import { SentimentBadge } from '#web/ui/sentiment-badge';
import { Spinner } from '#web/ui/spinner';

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  const { data, error, isPending, refetch } = useConversation(conversationId);
  const missing = error instanceof ApiError && error.status === 404;

  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>{data?.title ?? 'Conversation'}</PageTitle>
      <Link
        to="/conversations"
        className="-ml-1.5 inline-flex h-8 items-center gap-1.5 rounded-sm px-1.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to conversations
      </Link>
      {isPending && (
        <div role="status" className="flex items-center justify-center gap-2.5 py-24 text-ink-muted">
          <Spinner />
          Loading conversation...
        </div>
      )}
      {missing && (
        <EmptyState
          icon={<MessageSquareOff aria-hidden="true" />}
          title="Conversation not found"
          text="It may have been deleted."
        >
          <Button asChild variant="secondary">
            <Link to="/conversations">All conversations</Link>
          </Button>
        </EmptyState>
      )}
      {error && !missing && !data && (
        <LoadProblem title={error.message || 'Failed to load conversation.'} onRetry={refetch} />
      )}
      {data && <Transcript conversation={data} />}
    </PageColumn>
  );
}

function Transcript({ conversation }: { conversation: ShownConversation }) {
  const { title, agentName, metadata, messages } = conversation;
  return (
    <>
      <header className="mt-4 border-line border-b pb-6">
        <div className="flex flex-wrap items-start justify-between gap-3">
          <h1 className="wrap-anywhere min-w-0 font-semibold text-2xl">{title}</h1>
          <SentimentBadge sentiment={metadata.sentiment} />
        </div>
        <div className="numbers mt-2 flex flex-wrap items-center gap-x-5 gap-y-1 text-ink-muted text-sm">
          <time dateTime={metadata.created}>{formatDateTime(metadata.created)}</time>
          <span className="inline-flex items-center gap-1.5">
            <Clock aria-hidden="true" className="size-4" />
            <span className="sr-only">Duration</span>
            {formatClock(metadata.duration)}
          </span>
          {agentName && <span>with {agentName}</span>}
        </div>
      </header>
      <div className="mt-7">
        <ConversationMessages messages={messages} />
      </div>
    </>
  );
}
