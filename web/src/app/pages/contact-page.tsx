import { ArrowLeft, Trash2, UserX } from 'lucide-react';
import { useCallback } from 'react';
import { Link, useNavigate, useParams } from 'react-router';
import { useUser } from '#web/features/accounts/auth';
import { useContact } from '#web/features/contacts/api';
import { ContactDetail } from '#web/features/contacts/contact-detail';
import { contactName } from '#web/features/contacts/contact-name';
import { useContactDeletion } from '#web/features/contacts/use-contact-deletion';
import { useConversations } from '#web/features/conversations/api';
import { useDeletion } from '#web/features/conversations/delete-conversation';
import { ConversationCardSkeleton } from '#web/features/conversations/list/conversation-card';
import { ConversationGrid } from '#web/features/conversations/list/conversation-grid';
import { noFilters } from '#web/features/conversations/list/filters';
import { ApiError } from '#web/lib/server/api-error';
import { t } from '#web/texts/contacts';
import { Button } from '#web/ui/button';
import { EmptyState } from '#web/ui/empty-state';
import { backClasses } from '#web/ui/link-classes';
import { LoadProblem } from '#web/ui/load-problem';
import { PageColumn, PageTitle } from '#web/ui/page';
import { Spinner } from '#web/ui/spinner';

/** A contact of the workspace: their details and their conversations. */
export function ContactPage() {
  const { contactId = '' } = useParams();
  const { data: contact, error, isPending, refetch } = useContact(contactId);
  const navigate = useNavigate();
  const deletion = useContactDeletion(contact, () => navigate('/contacts', { replace: true }));
  const { _id: readerId } = useUser();
  return (
    <PageColumn>
      <PageTitle>{contact ? contactName(contact) : t('one.title')}</PageTitle>
      <Link to="/contacts" className={backClasses}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('backToContacts')}
      </Link>
      {isPending && (
        <div role="status" className="flex items-center justify-center gap-2.5 py-24 text-ink-muted">
          <Spinner />
          {t('one.loading')}
        </div>
      )}
      {error && !contact && <Problem error={error} onRetry={() => void refetch()} />}
      {contact && (
        <>
          <ContactDetail contact={contact}>
            {contact._id !== readerId && (
              <Button variant="secondary" busy={deletion.isBusy} onClick={deletion.ask}>
                {!deletion.isBusy && <Trash2 aria-hidden="true" />}
                {t('one.delete')}
              </Button>
            )}
          </ContactDetail>
          <Conversations contactId={contact._id} />
        </>
      )}
      {deletion.dialog}
    </PageColumn>
  );
}

const everybodys = { ...noFilters, everybody: true };

function Conversations({ contactId }: { contactId: string }) {
  const list = useConversations(everybodys, { contactId });
  const { _id: readerId } = useUser();
  const { fetchNextPage } = list;
  const more = useCallback(() => void fetchNextPage(), [fetchNextPage]);
  const deletion = useDeletion(() => {});
  const conversations = list.data?.pages.flatMap((page) => page.conversations) ?? [];
  return (
    <section aria-labelledby="conversations-title">
      <h2 id="conversations-title" className="mt-8 mb-4 font-semibold text-lg">
        {t('one.conversations')}
      </h2>
      {list.isPending && (
        <div className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
          <ConversationCardSkeleton />
        </div>
      )}
      {list.isError && (
        <LoadProblem title={t('one.listFailed')} error={list.error} onRetry={() => void list.refetch()} />
      )}
      {list.isSuccess && conversations.length === 0 && <p className="text-ink-muted">{t('one.none')}</p>}
      {conversations.length > 0 && (
        <ConversationGrid
          conversations={conversations}
          hasMore={list.hasNextPage}
          isFetchingMore={list.isFetchingNextPage || list.isFetchNextPageError}
          onMore={more}
          readerId={readerId}
          onDelete={deletion.ask}
        />
      )}
      {deletion.dialog}
    </section>
  );
}

function Problem({ error, onRetry }: { error: Error; onRetry: () => void }) {
  if (!(error instanceof ApiError && error.status === 404))
    return <LoadProblem title={t('one.loadFailed')} error={error} onRetry={onRetry} />;
  return (
    <EmptyState
      icon={<UserX aria-hidden="true" />}
      level={1}
      title={t('one.notFound')}
      text={t('one.notFoundText')}
    >
      <Button asChild variant="secondary">
        <Link to="/contacts">{t('one.all')}</Link>
      </Button>
    </EmptyState>
  );
}
