import { PhoneOff, Square, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';
import { t } from '#web/texts/calls';
import { t as common } from '#web/texts/common';
import { Button } from '#web/ui/button';
import { Tooltip } from '#web/ui/layers/tooltip';
import { type CallState, type PresenceState, presenceOf } from '../state/call-state.ts';
import type { Call } from '../use-call.ts';
import { Presence } from './presence.tsx';

interface CallStageProps {
  call: Call;
  /** The engines in use. */
  note: ReactNode;
  /** In a window lower than the screen. */
  compact: boolean;
}

const stateNames: Record<PresenceState, string> = {
  connecting: t('stage.connecting'),
  ready: t('stage.ready'),
  listening: t('stage.listening'),
  hearing: t('stage.hearing'),
  thinking: t('stage.thinking'),
  speaking: t('stage.speaking'),
  held: t('stage.listening'),
  ended: t('stage.ended'),
};
/**
 * States announced to screen readers. Not while the customer speaks: they know, and the microphone would pick up the
 * voice.
 */
const announced: Partial<Record<PresenceState, string>> = {
  hearing: t('stage.listening'),
  held: t('stage.speaking'),
};

/** The agent in the middle with its state, and the words as they are spoken. */
export function CallStage({ call, note, compact }: CallStageProps) {
  const { state } = call;
  const presence = presenceOf(state);
  const isLost = state.connection === 'lost' && !state.ended;
  const name = isLost ? t('stage.reconnecting') : stateNames[presence];
  const told = isLost ? name : (announced[presence] ?? name);
  const isListening = presence === 'listening' || presence === 'hearing';
  return (
    <section
      aria-label={t('stage.agent')}
      className="stage-light flex min-h-0 flex-col items-center justify-center gap-1.5 overflow-hidden px-6 pt-2 pb-3 short:flex-row short:py-1 lg:gap-5 lg:py-6"
    >
      <div className={cn('grid shrink-0 place-items-center p-5 short:p-2', compact ? 'lg:p-9' : 'lg:p-14')}>
        <Presence
          state={presence}
          level={isListening ? call.micLevel : call.level}
          className={cn('w-20 short:w-8', compact ? 'lg:w-32' : 'lg:w-[clamp(8rem,22vh,12.5rem)]')}
        />
      </div>
      <div className="flex w-full max-w-xl flex-col items-center gap-2 short:w-auto">
        <p
          className={cn(
            'font-medium text-sm transition-colors',
            presence === 'hearing' ? 'text-accent-text' : 'text-ink-muted',
          )}
        >
          <span role="status" className={told === name ? undefined : 'sr-only'}>
            {told}
          </span>
          {told !== name && <span aria-hidden="true">{name}</span>}
        </p>
        <div className="flex min-h-13 items-start justify-center text-center short:hidden lg:min-h-21">
          {state.soundBlocked ? (
            <Button size="lg" onClick={call.allowSound} className="animate-appear rounded-full">
              <Volume2 aria-hidden="true" />
              {common('tapToHear')}
            </Button>
          ) : (
            <Caption state={state} />
          )}
        </div>
      </div>
      <div className="w-full short:hidden">
        <div className="flex justify-center">{note}</div>
      </div>
    </section>
  );
}

/** The words being said, by either side. Hidden from screen readers, which get each whole reply once. */
function Caption({ state }: { state: CallState }) {
  const { speaking, entries, talk } = state;
  if (talk.text !== '' && !speaking)
    return (
      <p
        aria-hidden="true"
        data-caption="customer"
        className="line-clamp-2 text-balance text-ink-muted text-lg lg:line-clamp-3 lg:text-xl"
      >
        {talk.text}
      </p>
    );
  if (!speaking) return null;
  const entry = entries.find((each) => each.id === speaking.replyId);
  const sentence =
    entry?.kind === 'agent' ? entry.sentences.find((each) => each.index === speaking.index) : undefined;
  if (!sentence) return null;
  return (
    <p
      aria-hidden="true"
      key={`${speaking.replyId} ${speaking.index}`}
      data-caption=""
      className={cn(
        'line-clamp-2 animate-appear text-balance font-medium text-lg transition-opacity lg:line-clamp-3 lg:text-xl',
        state.held && 'opacity-45',
      )}
    >
      {sentence.text}
    </p>
  );
}

interface CallControlsProps {
  call: Call;
  voiceOn: boolean;
  onVoice: (on: boolean) => void;
  onEnd: () => void;
  ending: boolean;
  endsAlways: boolean;
  className?: string;
}

/** The controls of a call besides talking, within reach of a thumb. */
export function CallControls(props: CallControlsProps) {
  const { call, voiceOn, onVoice, onEnd, ending, endsAlways, className } = props;
  const { state } = call;
  const VoiceIcon = voiceOn ? Volume2 : VolumeX;
  return (
    <div
      role="toolbar"
      aria-label={t('stage.controls')}
      className={cn('flex items-center justify-center gap-3', className)}
    >
      <Tooltip text={voiceOn ? common('muteAgent') : common('hearAgent')}>
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label={common('muteAgent')}
          aria-pressed={!voiceOn}
          onClick={() => onVoice(!voiceOn)}
          className={voiceOn ? '' : 'border-negative/35 bg-negative-soft text-negative-text'}
        >
          <VoiceIcon aria-hidden="true" />
        </Button>
      </Tooltip>
      <Tooltip text={t('stage.stopTip')}>
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label={t('stage.stop')}
          disabled={state.voicing === null}
          onClick={call.interrupt}
        >
          <Square aria-hidden="true" className="fill-current" />
        </Button>
      </Tooltip>
      <Button
        variant="danger"
        size="lg"
        busy={ending}
        disabled={!endsAlways && (state.conversationId === null || state.ended)}
        onClick={onEnd}
        className="h-12 rounded-full"
      >
        {!ending && <PhoneOff aria-hidden="true" />}
        {t('stage.endCall')}
      </Button>
    </div>
  );
}
