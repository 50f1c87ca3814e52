import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { ConversationLink } from '#web/features/conversations/conversation-link';
import { UnansweredList } from '#web/features/unanswered/unanswered-list';
import { Button } from '#web/ui/button';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function UnansweredPage() {
  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>Unanswered Questions</PageTitle>
      <Link
        to="/conversations"
        className="-ml-1.5 mb-4 inline-flex h-8 items-center gap-1.5 rounded-sm px-1.5 font-medium text-ink-muted text-sm transition-colors hover:text-ink"
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        Back to conversations
      </Link>
      <PageHeader
        title="Unanswered Questions"
        text="What your agents did not know. Write the answer once, and from then on they do."
      />
      <div className="mt-7">
        <UnansweredList
          conversation={(id) => <ConversationLink id={id} />}
          elsewhere={
            <Button asChild variant="secondary">
              <Link to="/conversations">All conversations</Link>
            </Button>
          }
        />
      </div>
    </PageColumn>
  );
}
