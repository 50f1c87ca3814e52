import { PhoneOff, Square, Volume2, VolumeX } from 'lucide-react';
import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';
import { Button } from '#web/ui/button';
import { Tooltip } from '#web/ui/tooltip';
import { type CallState, type PresenceState, presenceOf } from './call-state.ts';
import { Presence } from './presence.tsx';
import type { Call } from './use-call.ts';

interface CallStageProps {
  call: Call;
  /** Which engines are at work. */
  note: ReactNode;
  /** In a window lower than the screen. */
  compact: boolean;
}

const stateNames: Record<PresenceState, string> = {
  connecting: 'Connecting…',
  ready: 'Ready',
  thinking: 'Thinking…',
  speaking: 'Speaking',
  ended: 'Call ended',
};

/** The agent in the middle: what it is doing, and the words as they are spoken. */
export function CallStage({ call, note, compact }: CallStageProps) {
  const { state } = call;
  const presence = presenceOf(state);
  const name = state.connection === 'lost' && !state.ended ? 'Reconnecting…' : stateNames[presence];
  return (
    <section
      aria-label="Agent"
      className="stage-light flex min-h-0 flex-col items-center justify-center gap-1.5 overflow-hidden px-6 pt-2 pb-3 short:flex-row short:py-1 lg:gap-5 lg:py-6"
    >
      <div className={cn('grid shrink-0 place-items-center p-5 short:p-2', compact ? 'lg:p-9' : 'lg:p-14')}>
        <Presence
          state={presence}
          level={call.level}
          className={cn('w-20 short:w-8', compact ? 'lg:w-32' : 'lg:w-[clamp(8rem,22vh,12.5rem)]')}
        />
      </div>
      <div className="flex w-full max-w-xl flex-col items-center gap-2 short:w-auto">
        <p role="status" className="font-medium text-ink-muted text-sm">
          {name}
        </p>
        <div className="flex min-h-13 items-start justify-center text-center short:hidden lg:min-h-21">
          {state.soundBlocked ? (
            <Button size="lg" onClick={call.allowSound} className="animate-appear rounded-full">
              <Volume2 aria-hidden="true" />
              Tap to hear
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

/** The sentence that is being spoken. Hidden from screen readers, which are told each whole reply once. */
function Caption({ state }: { state: CallState }) {
  const { speaking, entries } = state;
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
      className="line-clamp-2 animate-appear text-balance font-medium text-lg lg:line-clamp-3 lg:text-xl"
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

/** What one does with a call besides talking, where a thumb finds it. */
export function CallControls(props: CallControlsProps) {
  const { call, voiceOn, onVoice, onEnd, ending, endsAlways, className } = props;
  const { state } = call;
  const VoiceIcon = voiceOn ? Volume2 : VolumeX;
  return (
    <div
      role="toolbar"
      aria-label="Call controls"
      className={cn('flex items-center justify-center gap-3', className)}
    >
      <Tooltip text={voiceOn ? 'Mute the agent' : 'Hear the agent'}>
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label="Mute the agent"
          aria-pressed={!voiceOn}
          onClick={() => onVoice(!voiceOn)}
          className={voiceOn ? '' : 'border-negative/35 bg-negative-soft text-negative-text'}
        >
          <VoiceIcon aria-hidden="true" />
        </Button>
      </Tooltip>
      <Tooltip text="Stop speaking (Escape)">
        <Button
          variant="secondary"
          size="icon-lg"
          aria-label="Stop speaking"
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
        End Call
      </Button>
    </div>
  );
}
