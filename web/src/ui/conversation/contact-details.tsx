import { AtSign, Hash, NotebookPen, Phone, UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Contact } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/common';

/** One of the contact details that a customer left. */
export interface ContactPart {
  kind: keyof Contact;
  /** Its kind, such as "Phone". */
  name: string;
  /** As the customer gave it. */
  text: string;
  /** Target of a click: call or write. */
  href?: string;
}

export const contactIcons: Record<keyof Contact, ComponentType<{ className?: string }>> = {
  name: UserRound,
  phone: Phone,
  email: AtSign,
  reference: Hash,
  note: NotebookPen,
};

const names: Record<keyof Contact, string> = {
  name: t('contact.name'),
  phone: t('contact.phone'),
  email: t('contact.email'),
  reference: t('contact.reference'),
  note: t('contact.note'),
};

const order = ['name', 'phone', 'email', 'reference', 'note'] as const;

/** The contact details in order of use, without blank ones. */
export function contactParts(contact: Contact | undefined): ContactPart[] {
  return order.flatMap((kind) => {
    const text = contact?.[kind]?.trim();
    if (!text) return [];
    const href = kind === 'phone' ? phoneLink(text) : kind === 'email' ? mailLink(text) : undefined;
    return [{ kind, name: names[kind], text, ...(href ? { href } : {}) }];
  });
}

/** A customer's contact details in a line; telephone number and address are links. */
export function ContactLine({ parts, className }: { parts: readonly ContactPart[]; className?: string }) {
  return (
    <ul className={cn('flex min-w-0 flex-wrap gap-x-4 gap-y-0.5 text-ink-muted text-sm', className)}>
      {parts.map((part) => {
        const Icon = contactIcons[part.kind];
        return (
          <li key={part.kind} data-kind={part.kind} className="flex min-w-0 max-w-full items-center gap-1.5">
            <Icon aria-hidden className="size-3.5 shrink-0 text-ink-faint" />
            <span className="sr-only">{part.name}</span>
            <ContactText part={part} className="truncate" />
          </li>
        );
      })}
    </ul>
  );
}

export function ContactText({ part, className }: { part: ContactPart; className?: string }) {
  if (!part.href)
    return (
      <bdi title={part.text} className={className}>
        {part.text}
      </bdi>
    );
  return (
    <a
      href={part.href}
      dir="ltr"
      title={part.text}
      // Above the link that covers the card or row.
      className={cn(
        'relative z-10 rounded-sm font-medium text-accent-text underline-offset-4 hover:underline',
        className,
      )}
    >
      {part.text}
    </a>
  );
}

/** A number with fewer digits than any telephone number has gets no link. */
function phoneLink(text: string): string | undefined {
  const digits = text.replace(/[^\d+]/g, '').replace(/(?!^)\+/g, '');
  return /^\+?\d{5,15}$/.test(digits) ? `tel:${digits}` : undefined;
}

function mailLink(text: string): string | undefined {
  return /^[^\s@?&]+@[^\s@?&]+$/.test(text) ? `mailto:${encodeURI(text)}` : undefined;
}
