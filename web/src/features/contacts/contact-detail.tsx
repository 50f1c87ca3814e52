import type { ReactNode } from 'react';
import { t } from '#web/texts/contacts';
import { Avatar } from '#web/ui/avatar';
import { ContactText, contactIcons, contactParts } from '#web/ui/conversation/contact-details';
import type { ShownContact } from './api.ts';
import { contactName } from './contact-name.ts';
import { Verification } from './verification.tsx';

/** The details of a contact. @param children the contact's actions */
export function ContactDetail({ contact, children }: { contact: ShownContact; children: ReactNode }) {
  const name = contactName(contact);
  const parts = contactParts(contact).filter(({ kind }) => kind !== 'name');
  return (
    <header className="flex flex-col gap-5 border-line border-b pb-6 sm:flex-row sm:items-start sm:justify-between">
      <div className="flex min-w-0 gap-4">
        <Avatar name={name} className="size-12 text-lg" />
        <div className="min-w-0">
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
            <h1 dir="auto" className="wrap-anywhere min-w-0 font-semibold text-2xl">
              {name}
            </h1>
            <Verification contact={contact} />
          </div>
          <dl className="mt-2 flex flex-wrap gap-x-6 gap-y-1 text-ink-muted">
            {parts.map((part) => {
              const Icon = contactIcons[part.kind];
              return (
                <div key={part.kind} className="flex min-w-0 items-center gap-2">
                  <Icon aria-hidden className="size-4 shrink-0 text-ink-faint" />
                  <dt className="sr-only">{part.name}</dt>
                  <dd className="min-w-0">
                    <ContactText part={part} className="wrap-anywhere" />
                  </dd>
                </div>
              );
            })}
            {contact.externalId && (
              <div>
                <dd className="wrap-anywhere">{t('externalId', { id: contact.externalId })}</dd>
              </div>
            )}
          </dl>
        </div>
      </div>
      <div className="shrink-0">{children}</div>
    </header>
  );
}
