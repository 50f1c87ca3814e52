import { Check, CircleHelp, CircleSlash, CornerDownLeft, UserRound } from 'lucide-react';
import type { ComponentType } from 'react';
import type { Outcome } from '#shared/conversations';
import { t } from '#web/texts/common';
import { Badge, type BadgeTone } from '#web/ui/badge';

/** Outcomes of a conversation, most important first. Small talk alone is not shown. */
export type ShownOutcome = Exclude<Outcome, 'social'>;

export const outcomeNames: Record<ShownOutcome, string> = {
  handover: t('outcomes.handover'),
  declined: t('outcomes.declined'),
  offered: t('outcomes.offered'),
  'asked-back': t('outcomes.askedBack'),
  answered: t('outcomes.answered'),
};

export const outcomeIcons: Record<ShownOutcome, ComponentType<{ className?: string }>> = {
  handover: UserRound,
  declined: CircleSlash,
  offered: CircleHelp,
  'asked-back': CornerDownLeft,
  answered: Check,
};

const tones: Record<ShownOutcome, BadgeTone> = {
  handover: 'accent',
  declined: 'negative',
  offered: 'neutral',
  'asked-back': 'neutral',
  answered: 'neutral',
};

/** The outcome of a conversation or answer; nothing if nothing was asked. */
export function OutcomeBadge({ outcome }: { outcome: Outcome | undefined }) {
  if (!outcome || outcome === 'social') return null;
  const Icon = outcomeIcons[outcome];
  return (
    <Badge tone={tones[outcome]}>
      <Icon aria-hidden className="-ml-0.5 size-3.5" />
      {outcomeNames[outcome]}
    </Badge>
  );
}
