import { MessagesSquare, Phone } from 'lucide-react';
import { Link } from 'react-router';
import { useConversations } from '#web/features/conversations/api';
import { ConversationCard, ConversationCardSkeleton } from '#web/features/conversations/conversation-card';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function ConversationsPage() {
  const list = useConversations();
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];

  return (
    <PageColumn>
      <PageTitle>Conversation History</PageTitle>
      <PageHeader title="Conversation History" text="Every call with an agent, newest first.">
        {conversations.length > 0 && <StartCall />}
      </PageHeader>
      <div className="mt-8">
        {list.isPending && (
          <div role="status" aria-label="Loading conversations" className={gridClasses}>
            {['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
              <ConversationCardSkeleton key={key} />
            ))}
          </div>
        )}
        {list.isError && conversations.length === 0 && (
          <LoadProblem
            title="The conversations could not be loaded"
            error={list.error}
            onRetry={list.refetch}
          />
        )}
        {list.isSuccess && conversations.length === 0 && (
          <EmptyState
            icon={<MessagesSquare aria-hidden="true" />}
            title="No conversations yet"
            text="Call the demo agent: what is said is kept here, to be read again."
          >
            <StartCall />
          </EmptyState>
        )}
        {conversations.length > 0 && (
          <ul className={gridClasses}>
            {conversations.map((conversation) => (
              <li key={conversation._id}>
                <ConversationCard conversation={conversation} />
              </li>
            ))}
          </ul>
        )}
        {list.hasNextPage && (
          <div className="mt-8 flex justify-center">
            <Button variant="secondary" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
              Show more
            </Button>
          </div>
        )}
      </div>
    </PageColumn>
  );
}

const gridClasses = 'grid gap-4 sm:grid-cols-2 lg:grid-cols-3';

function StartCall() {
  return (
    <Button asChild>
      <Link to="/call-simulator">
        <Phone aria-hidden="true" />
        Start New Call
      </Link>
    </Button>
  );
}
