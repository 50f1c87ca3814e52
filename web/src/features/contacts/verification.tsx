import { BadgeCheck } from 'lucide-react';
import { t } from '#web/texts/contacts';
import { Badge } from '#web/ui/badge';
import type { ShownContact } from './api.ts';

/** Whether the business has confirmed a contact's identity, or only they have stated it. */
export function Verification({
  contact: { verified },
  className,
}: {
  contact: Pick<ShownContact, 'verified'>;
  className?: string;
}) {
  return (
    <Badge tone={verified ? 'positive' : 'neutral'} className={className}>
      {verified && <BadgeCheck aria-hidden="true" className="-ml-0.5 size-3.5" />}
      {verified ? t('verified') : t('unverified')}
    </Badge>
  );
}
