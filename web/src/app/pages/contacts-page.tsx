import { ArrowLeft } from 'lucide-react';
import { Link, useSearchParams } from 'react-router';
import { ContactList } from '#web/features/contacts/contact-list';
import { t } from '#web/texts/contacts';
import { SearchField } from '#web/ui/forms/search-field';
import { backClasses } from '#web/ui/link-classes';
import { PageColumn, PageHeader, PageTitle } from '#web/ui/page';

const MAX_SEARCH_CHARACTERS = 200;

/** The contacts of the workspace. The address holds the search. */
export function ContactsPage() {
  const [address, setAddress] = useSearchParams();
  const search = address.get('q')?.slice(0, MAX_SEARCH_CHARACTERS) ?? '';
  return (
    <PageColumn className="max-w-3xl">
      <PageTitle>{t('title')}</PageTitle>
      <Link to="/conversations?of=workspace" className={backClasses}>
        <ArrowLeft aria-hidden="true" className="size-4" />
        {t('backToConversations')}
      </Link>
      <PageHeader title={t('title')} text={t('text')} />
      <search className="mt-7 block">
        <SearchField
          label={t('search')}
          placeholder={t('searchPlaceholder')}
          maxLength={MAX_SEARCH_CHARACTERS}
          value={search}
          onChange={(q) => setAddress(q.trim() ? { q } : {}, { replace: search !== '' && q !== '' })}
        />
      </search>
      <div className="mt-6">
        <ContactList search={search} />
      </div>
    </PageColumn>
  );
}
