import { ArrowRight, Copy } from 'lucide-react';
import { Link } from 'react-router';
import { cn } from '#web/lib/class-names';
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
import type { ShownConversation } from './api.ts';

/**
 * The contact details that the customer left for a colleague, each with a copy button. For another person's
 * conversation also their known details, and a link to all their conversations.
 */
export function ContactPanel({ contact, level }: { contact: ShownConversation['contact']; level: 1 | 2 }) {
  const parts = contactParts(contact);
  const isKnown = contact?._id !== undefined;
  if (parts.length === 0 && !isKnown) return null;
  const Heading = level === 1 ? 'h2' : 'h3';
  const title = isKnown ? t('contact.known') : t('contact.title');
  return (
    <section
      aria-label={title}
      className={cn(
        'mt-6 rounded-lg border px-5 py-4',
        isKnown ? 'border-line bg-surface' : 'border-accent-line bg-accent-soft',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <Heading className="font-semibold">{title}</Heading>
        {isKnown && (
          <Link
            to={`/contacts/${encodeURIComponent(contact._id ?? '')}`}
            className="inline-flex items-center gap-1 rounded-sm font-medium text-accent-text text-sm hover:underline hover:underline-offset-4"
          >
            {t('contact.all')}
            <ArrowRight aria-hidden="true" className="size-4" />
          </Link>
        )}
      </div>
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
