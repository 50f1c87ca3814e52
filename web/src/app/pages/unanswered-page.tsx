import { ArrowLeft } from 'lucide-react';
import { Link } from 'react-router';
import { ConversationLink } from '#web/features/conversations/conversation-link';
import { UnansweredList } from '#web/features/unanswered/unanswered-list';
import { t } from '#web/texts/unanswered';
import { Button } from '#web/ui/button';
import { backClasses } from '#web/ui/link-classes';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

export function UnansweredPage() {
  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>{t('page.title')}</PageTitle>
      <Link to="/conversations" className={backClasses}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('page.backToConversations')}
      </Link>
      <PageHeader title={t('page.title')} text={t('page.text')} />
      <div className="mt-7">
        <UnansweredList
          conversation={(id) => <ConversationLink id={id} />}
          elsewhere={
            <Button asChild variant="secondary">
              <Link to="/conversations">{t('page.allConversations')}</Link>
            </Button>
          }
        />
      </div>
    </PageColumn>
  );
}
