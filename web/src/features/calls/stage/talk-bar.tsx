import { AudioLines, ChevronDown, Mic, MicOff, X } from 'lucide-react';
import { type ReactNode, useEffect, useState } from 'react';
import { cn } from '#web/lib/class-names';
import { formatClock } from '#web/lib/formats';
import { t } from '#web/texts/calls';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuChoices } from '#web/ui/layers/dropdown-menu';
import { toast } from '#web/ui/layers/toast';
import { Tooltip } from '#web/ui/layers/tooltip';
import { Spinner } from '#web/ui/spinner';
import type { TalkState } from '../speech/talk-state.ts';
import type { Call } from '../use-call.ts';
import { LevelBars } from './level-bars.tsx';
import { MicPulse } from './mic-pulse.tsx';
import type { HandsFree } from './use-hands-free.ts';

interface TalkBarProps {
  call: Call;
  handsFree: HandsFree;
}

/** The voice part of the composer: turns the microphone on and off, and shows its sound. */
export function TalkBar({ call, handsFree }: TalkBarProps) {
  const { talk } = call.state;
  const isHandsFree = talk.mode === 'hands-free';
  return (
    <div className="flex min-w-0 flex-1 items-center gap-1">
      {talk.phase === 'off' && <HandsFreeButton call={call} handsFree={handsFree} />}
      <div className="flex min-w-0 flex-1 items-center gap-2">
        {talk.phase === 'opening' && <Remark className="animate-late">{t('talk.allow')}</Remark>}
        {talk.phase === 'open' && <Hearing call={call} />}
        {talk.phase === 'finishing' && (
          <Remark>
            <Spinner />
            {isHandsFree ? t('talk.hangingUp') : t('talk.understanding')}
          </Remark>
        )}
      </div>
      {isHandsFree ? (
        <Tooltip text={t('talk.hangUpTip')}>
          <Button
            variant="secondary"
            size="sm"
            disabled={talk.phase === 'finishing'}
            aria-keyshortcuts="Alt+H"
            onClick={handsFree.toggle}
            className="h-10 rounded-full border-danger/35 px-3.5 text-urgent-text"
          >
            <MicOff aria-hidden="true" />
            <span>
              {t.rich('talk.hangUp', { spoken: (text) => <span className="sr-only">{text}</span> })}
            </span>
          </Button>
        </Tooltip>
      ) : (
        <PushToTalk call={call} />
      )}
    </div>
  );
}

function Remark({ className, children }: { className?: string; children: ReactNode }) {
  return (
    <p className={cn('flex min-w-0 items-center gap-2 px-2 text-ink-muted text-sm', className)}>{children}</p>
  );
}

/** A disabled button says what it waits for. */
function HandsFreeButton({ call, handsFree }: TalkBarProps) {
  const hindrance = call.hindrance['hands-free'];
  const isReady = call.state.conversationId !== null && !call.state.ended;
  return (
    <Tooltip text={hindrance ?? t('talk.handsFreeTip')}>
      <Button
        variant="ghost"
        size="sm"
        disabled={!isReady}
        aria-disabled={hindrance !== null || undefined}
        aria-keyshortcuts="Alt+H"
        onClick={() => (hindrance === null ? handsFree.toggle() : toast.info(hindrance))}
        className={cn('h-10 rounded-full px-3 text-accent-text', hindrance !== null && 'opacity-55')}
      >
        <AudioLines aria-hidden="true" />
        {t('talk.handsFree')}
      </Button>
    </Tooltip>
  );
}

function PushToTalk({ call }: { call: Call }) {
  const { talk, conversationId, ended } = call.state;
  const hindrance = call.hindrance['push-to-talk'];
  const isOn = talk.phase === 'opening' || talk.phase === 'open';
  const press = () => {
    if (isOn) call.finishTalking();
    else if (hindrance === null) call.startTalking('push-to-talk');
    else toast.info(hindrance);
  };
  return (
    <>
      {isOn && (
        <Tooltip text={t('talk.discardTip')}>
          <Button variant="ghost" size="icon" aria-label={t('talk.discard')} onClick={call.cancelTalking}>
            <X aria-hidden="true" />
          </Button>
        </Tooltip>
      )}
      <Tooltip text={isOn ? t('talk.sendTip') : (hindrance ?? t('talk.speakTip'))}>
        <Button
          variant={isOn ? 'danger' : 'ghost'}
          size="icon"
          aria-label={t('talk.microphone')}
          aria-pressed={isOn}
          aria-disabled={(hindrance !== null && !isOn) || undefined}
          aria-keyshortcuts="Alt+M"
          disabled={conversationId === null || ended || talk.phase === 'finishing'}
          onClick={press}
          className={cn('rounded-full', hindrance !== null && !isOn && 'opacity-55')}
        >
          {talk.phase === 'open' && <MicPulse level={call.micLevel} />}
          <Mic aria-hidden="true" />
        </Button>
      </Tooltip>
    </>
  );
}

/** Shows at a glance whether the microphone picks up the voice. */
function Hearing({ call }: { call: Call }) {
  const { talk } = call.state;
  const name = nameOf(talk);
  return (
    <>
      {talk.trouble === null ? (
        <LevelBars level={call.micLevel} isSpeaking={talk.isSpeaking} className="pl-2" />
      ) : (
        <MicOff aria-hidden="true" className="ml-2 size-4.5 shrink-0 text-negative-text" />
      )}
      <p
        className={cn(
          'truncate font-medium text-sm',
          talk.isSpeaking ? 'text-accent-text' : 'text-ink-muted',
        )}
        aria-hidden="true"
      >
        {name}
      </p>
      {talk.mode === 'push-to-talk' && talk.trouble === null && <RecordingClock since={talk.since} />}
      <DeviceMenu call={call} />
    </>
  );
}

function nameOf({ trouble, isSpeaking, mode }: TalkState): string {
  if (trouble !== null) return t('talk.noSound');
  if (isSpeaking) return t('talk.hearing');
  return mode === 'hands-free' ? t('talk.listening') : t('talk.recording');
}

function RecordingClock({ since }: { since: number | null }) {
  const [seconds, setSeconds] = useState(0);
  useEffect(() => {
    const look = () => setSeconds(since === null ? 0 : (performance.now() - since) / 1_000);
    look();
    const timer = setInterval(look, 500);
    return () => clearInterval(timer);
  }, [since]);
  return (
    <span role="timer" aria-label={t('talk.length')} className="numbers text-ink-faint text-sm">
      {formatClock(seconds)}
    </span>
  );
}

function DeviceMenu({ call }: { call: Call }) {
  const { devices, deviceId } = call.state.talk;
  if (devices.length < 2) return null;
  return (
    <DropdownMenu
      trigger={
        <Button variant="ghost" size="icon-sm" aria-label={t('talk.chooseDevice')}>
          <ChevronDown aria-hidden="true" />
        </Button>
      }
    >
      <DropdownMenuChoices
        label={t('talk.microphone')}
        value={deviceId ?? ''}
        onChange={call.chooseMicrophone}
        choices={devices.map((device) => ({
          value: device.deviceId,
          label: device.label,
          icon: <Mic aria-hidden="true" />,
        }))}
      />
    </DropdownMenu>
  );
}
