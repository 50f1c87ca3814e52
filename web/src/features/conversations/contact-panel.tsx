import { Copy } from 'lucide-react';
import type { Contact } from '#shared/conversations';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/conversations';
import { Button } from '#web/ui/button';
import {
  type ContactPart,
  ContactText,
  contactIcons,
  contactParts,
} from '#web/ui/conversation/contact-details';
import { toast } from '#web/ui/layers/toast';

/** What the customer left so that a colleague can get back to them; each thing can be copied. */
export function ContactPanel({ contact, level }: { contact: Contact | undefined; level: 1 | 2 }) {
  const parts = contactParts(contact);
  if (parts.length === 0) return null;
  const Heading = level === 1 ? 'h2' : 'h3';
  return (
    <section
      aria-label={t('contact.title')}
      className="mt-6 rounded-lg border border-accent-line bg-accent-soft px-5 py-4"
    >
      <Heading className="font-semibold">{t('contact.title')}</Heading>
      <dl className="mt-2 grid gap-x-6 sm:grid-cols-2">
        {parts.map((part) => (
          <Row key={part.kind} part={part} />
        ))}
      </dl>
    </section>
  );
}

function Row({ part }: { part: ContactPart }) {
  const Icon = contactIcons[part.kind];
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(part.text);
      toast.success(t('contact.copied', { kind: part.kind }));
    } catch (error) {
      logProblem('What a customer left could not be copied.', error);
      toast.error(t('contact.copyFailed'));
    }
  };
  return (
    <div
      className={
        part.kind === 'note'
          ? 'flex min-w-0 items-center gap-3 sm:col-span-2'
          : 'flex min-w-0 items-center gap-3'
      }
    >
      <Icon aria-hidden className="size-4 shrink-0 text-accent-text" />
      <dt className="sr-only">{part.name}</dt>
      <dd className="flex min-w-0 flex-1 items-center justify-between gap-2">
        <ContactText part={part} className="wrap-anywhere min-w-0 py-1" />
        <Button
          variant="ghost"
          size="icon-sm"
          aria-label={t('contact.copy', { kind: part.kind })}
          onClick={() => void copy()}
        >
          <Copy aria-hidden="true" />
        </Button>
      </dd>
    </div>
  );
}
