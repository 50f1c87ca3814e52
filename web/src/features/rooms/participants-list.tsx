import { MicOff, Signal, SignalHigh, SignalMedium, SignalZero } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/rooms';
import { Avatar } from '#web/ui/avatar';
import { SigmaGlyph } from '#web/ui/logo';
import type { ConnectionQuality, RoomParticipant } from './connection/room-state.ts';

const agentStateNames = {
  initializing: t('agent.gettingReady'),
  listening: t('agent.listening'),
  thinking: t('agent.thinking'),
  speaking: t('agent.speaking'),
} as const;

const qualities: Record<ConnectionQuality, { icon: typeof Signal; text: string; colour: string }> = {
  excellent: { icon: Signal, text: t('quality.excellent'), colour: 'text-positive-text' },
  good: { icon: SignalHigh, text: t('quality.good'), colour: 'text-positive-text' },
  poor: { icon: SignalMedium, text: t('quality.poor'), colour: 'text-negative-text' },
  lost: { icon: SignalZero, text: t('quality.lost'), colour: 'text-urgent-text' },
  unknown: { icon: Signal, text: t('quality.unknown'), colour: 'text-ink-faint opacity-40' },
};

interface ParticipantsListProps {
  participants: readonly RoomParticipant[];
  /** The owner's settings; empty for guests. */
  settings?: ReactNode;
  /** The owner's menu for another participant. */
  menuFor?: ((participant: RoomParticipant) => ReactNode) | undefined;
}

/** The participants, with their speech and connection quality. */
export function ParticipantsList({ participants, settings, menuFor }: ParticipantsListProps) {
  const others = participants.filter((participant) => !participant.isLocal);
  return (
    <section aria-labelledby="participants" className="flex flex-col gap-2 p-4 sm:p-5">
      <div className="flex min-h-8 items-center justify-between gap-3">
        <h2 id="participants" className="font-semibold">
          {t('participants.title')}
        </h2>
        {settings}
      </div>
      <ul className="flex flex-col gap-1">
        {participants.map((participant) => (
          <ParticipantRow
            key={participant.sid || participant.identity}
            participant={participant}
            menu={participant.isLocal || participant.agent ? null : menuFor?.(participant)}
          />
        ))}
      </ul>
      {others.length === 0 && <p className="text-ink-muted text-sm">{t('participants.waiting')}</p>}
    </section>
  );
}

function ParticipantRow({ participant, menu }: { participant: RoomParticipant; menu: ReactNode }) {
  const { isLocal, name, identity, agent, isSpeaking, isMuted } = participant;
  const quality = qualities[participant.quality];
  const QualityIcon = quality.icon;
  const title = isLocal ? t('participants.local') : name || identity;
  const detail = isLocal ? name : name && name !== identity ? identity : '';
  return (
    <li className="flex min-h-12 items-center gap-3 rounded-md py-1">
      <span
        className={cn(
          'rounded-full ring-2 ring-offset-2 ring-offset-surface transition-shadow',
          isSpeaking ? 'ring-positive' : 'ring-transparent',
        )}
      >
        {agent ? (
          <span className="grid size-8 place-items-center rounded-full bg-accent text-on-accent">
            <SigmaGlyph className="size-4" />
          </span>
        ) : (
          <Avatar name={name || identity} />
        )}
      </span>
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate font-medium text-sm">
          {title}
        </span>
        {(detail || agent) && (
          <span dir="auto" className="block truncate text-ink-faint text-xs">
            {agent ? `${agentStateNames[agent.state]} · ` : ''}
            {detail}
          </span>
        )}
      </span>
      {isSpeaking && <span className="sr-only">{t('participants.speaking')}</span>}
      {isMuted && !agent && (
        <span title={t('participants.muted')} className="text-ink-faint">
          <MicOff aria-hidden="true" className="size-4" />
          <span className="sr-only">{t('participants.mutedSpoken')}</span>
        </span>
      )}
      <span title={quality.text} className={quality.colour}>
        <QualityIcon aria-hidden="true" className="size-4" />
        <span className="sr-only">{quality.text}</span>
      </span>
      {menu}
    </li>
  );
}
