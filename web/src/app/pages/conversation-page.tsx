import { ArrowLeft, Trash2 } from 'lucide-react';
import { Link, useLocation, useNavigate, useParams } from 'react-router';
import { isOfAnother, type ShownConversation, useConversation } from '#web/features/conversations/api';
import { ConversationDetail } from '#web/features/conversations/conversation-detail';
import { useDeletion } from '#web/features/conversations/delete-conversation';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import { backClasses } from '#web/ui/link-classes';
import { PageColumn, PageTitle } from '#web/ui/page';
import { CallAgain } from './conversation-call-again.tsx';

export function ConversationPage() {
  const { conversationId = '' } = useParams();
  const { data } = useConversation(conversationId);
  const navigate = useNavigate();
  const { state } = useLocation();
  const cameFromList = typeof state === 'object' && state !== null && 'fromList' in state;
  const deletion = useDeletion(() =>
    cameFromList ? navigate(-1) : navigate('/conversations', { replace: true }),
  );

  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>{data?.title ?? t('page.title')}</PageTitle>
      <Link
        to="/conversations"
        onClick={(event) => {
          // Going back finds the list unchanged, with its filters and scroll position.
          if (!cameFromList || event.metaKey || event.ctrlKey || event.shiftKey) return;
          event.preventDefault();
          navigate(-1);
        }}
        className={backClasses}
      >
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('backToConversations')}
      </Link>
      <ConversationDetail
        id={conversationId}
        elsewhere={
          <Button asChild variant="secondary">
            <Link to="/conversations">{t('page.all')}</Link>
          </Button>
        }
        actions={(conversation: ShownConversation) =>
          // Another person's conversation can be neither continued nor deleted here.
          !isOfAnother(conversation) && (
            <>
              <CallAgain conversation={conversation} />
              <Button variant="ghost" size="sm" onClick={() => deletion.ask(conversation)}>
                <Trash2 aria-hidden="true" />
                {t('page.delete')}
              </Button>
            </>
          )
        }
      />
      {deletion.dialog}
    </PageColumn>
  );
}
