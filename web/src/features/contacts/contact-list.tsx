import { SearchX } from 'lucide-react';
import { Link } from 'react-router';
import { t } from '#web/texts/contacts';
import { Avatar } from '#web/ui/avatar';
import { Button } from '#web/ui/button';
import { Card } from '#web/ui/card';
import { ContactLine, contactParts } from '#web/ui/conversation/contact-details';
import { EmptyState } from '#web/ui/empty-state';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { type ShownContact, useContacts } from './api.ts';
import { contactName } from './contact-name.ts';
import { Verification } from './verification.tsx';

/** The workspace's contacts; each row opens its details. */
export function ContactList({ search }: { search: string }) {
  const list = useContacts(search);
  if (list.isPending)
    return (
      <Card role="status" aria-label={t('loading')} className="divide-y divide-line">
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className="flex items-center gap-4 px-5 py-4 sm:px-6">
            <Skeleton className="size-10 rounded-full" />
            <Skeleton className="h-5 w-1/3" />
          </div>
        ))}
      </Card>
    );
  if (!list.data)
    return <LoadProblem title={t('loadFailed')} error={list.error} onRetry={() => void list.refetch()} />;
  const contacts = list.data.pages.flatMap((page) => page.contacts);
  if (contacts.length === 0)
    return <EmptyState icon={<SearchX aria-hidden="true" />} title={t('noMatch')} text={t('noMatchText')} />;
  return (
    <section aria-label={t('results')} aria-busy={list.isPlaceholderData}>
      <Card>
        <ul className="divide-y divide-line">
          {contacts.map((contact) => (
            <Row key={contact._id} contact={contact} />
          ))}
        </ul>
      </Card>
      {list.hasNextPage && (
        <div className="mt-5 flex justify-center">
          <Button
            variant="secondary"
            busy={list.isFetchingNextPage}
            onClick={() => void list.fetchNextPage()}
          >
            {t('more')}
          </Button>
        </div>
      )}
    </section>
  );
}

function Row({ contact }: { contact: ShownContact }) {
  const name = contactName(contact);
  return (
    <li className="group relative flex items-center gap-4 px-5 py-3.5 transition-colors first:rounded-t-lg last:rounded-b-lg hover:bg-sunken/60 sm:px-6">
      <Avatar name={name} className="size-10" />
      <div className="min-w-0 flex-1">
        <Link
          to={`/contacts/${encodeURIComponent(contact._id)}`}
          className="block truncate font-medium after:absolute after:inset-0"
        >
          <bdi>{name}</bdi>
        </Link>
        <ContactLine
          parts={contactParts(contact).filter(({ kind, text }) => kind !== 'note' && text !== name)}
        />
      </div>
      <Verification contact={contact} className="max-sm:hidden" />
    </li>
  );
}
