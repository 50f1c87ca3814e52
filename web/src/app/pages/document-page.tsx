import { ArrowLeft } from 'lucide-react';
import { Link, useParams, useSearchParams } from 'react-router';
import { DocumentView } from '#web/features/documents/document-view';
import { t } from '#web/texts/documents';
import { backClasses } from '#web/ui/link-classes';
import { PageColumn, PageTitle } from '#web/ui/page';

export function DocumentPage() {
  const { documentId = '' } = useParams();
  const [query] = useSearchParams();
  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>{t('page.title')}</PageTitle>
      <Link to="/agents" className={backClasses}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('page.backToAgents')}
      </Link>
      <DocumentView id={documentId} said={query.get('said') ?? ''} />
    </PageColumn>
  );
}
