import type { Channel, ConversationState } from '#shared/conversations';
import { t } from '#web/texts/common';
import { Badge, type BadgeTone } from '../badge.tsx';

export const channelNames: Record<Channel, string> = {
  page: t('channels.page'),
  simulator: t('channels.simulator'),
  room: t('channels.room'),
  door: t('channels.door'),
  phone: t('channels.phone'),
  rehearsal: t('channels.rehearsal'),
};

export const stateNames: Record<ConversationState, string> = {
  open: t('states.open'),
  waiting: t('states.waiting'),
  with: t('states.with'),
  ended: t('states.ended'),
};

const tones: Record<ConversationState, BadgeTone> = {
  open: 'positive',
  waiting: 'urgent',
  with: 'accent',
  ended: 'neutral',
};

/** How a conversation stands; nothing where it has ended, as most have. */
export function StateBadge({ state }: { state: ConversationState | undefined }) {
  if (state === undefined || state === 'ended') return null;
  return <Badge tone={tones[state]}>{stateNames[state]}</Badge>;
}
