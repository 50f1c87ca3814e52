import { ArrowUp, AudioLines, RotateCcw, Square, Volume2, VolumeX } from 'lucide-react';
import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { MAX_MESSAGE_CHARACTERS } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { formatTime } from '#web/lib/formats';
import { t } from '#web/texts/agents';
import { t as common } from '#web/texts/common';
import { Banner } from '#web/ui/banner';
import { Button } from '#web/ui/button';
import { Sources } from '#web/ui/conversation/sources';
import { SpeechBubble } from '#web/ui/conversation/speech-bubble';
import { Tooltip } from '#web/ui/layers/tooltip';
import { SigmaGlyph } from '#web/ui/logo';
import type { TriedLine, TryOut } from './use-try-out.ts';

interface TryOutPanelProps {
  tryOut: TryOut;
  voiceOn: boolean;
  onVoice: (on: boolean) => void;
  className?: string;
}

/** Talks with the unsaved agent in the form. */
export function TryOutPanel({ tryOut, voiceOn, onVoice, className }: TryOutPanelProps) {
  const { lines, waiting, problem, speaking } = tryOut;
  const [text, setText] = useState('');
  const [incomplete, setIncomplete] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const sendable = text.trim() !== '' && text.length <= MAX_MESSAGE_CHARACTERS && !waiting;

  // biome-ignore lint/correctness/useExhaustiveDependencies: what is new is brought into view.
  useEffect(() => {
    const list = end.current?.parentElement;
    if (list) list.scrollTop = list.scrollHeight;
  }, [lines.length, waiting, problem]);

  const say = async (words: string | null) => {
    const taken = await tryOut.say(words);
    setIncomplete(!taken);
    if (taken && words !== null) setText('');
  };
  const send = () => {
    if (sendable) void say(text.trim());
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    send();
  };
  const VoiceIcon = voiceOn ? Volume2 : VolumeX;

  return (
    <section aria-label={t('tryOut.title')} className={cn('flex min-h-0 flex-col', className)}>
      <header className="flex items-center gap-1 border-line border-b py-2 pr-2 pl-4">
        <p className="min-w-0 flex-1 text-ink-muted text-sm">{t('tryOut.text')}</p>
        <Tooltip text={voiceOn ? common('muteAgent') : common('hearAgent')}>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={common('muteAgent')}
            aria-pressed={!voiceOn}
            onClick={() => onVoice(!voiceOn)}
          >
            <VoiceIcon aria-hidden="true" />
          </Button>
        </Tooltip>
        <Tooltip text={t('tryOut.startOver')}>
          <Button
            variant="ghost"
            size="icon-sm"
            aria-label={t('tryOut.startOver')}
            disabled={lines.length === 0}
            onClick={tryOut.startOver}
          >
            <RotateCcw aria-hidden="true" />
          </Button>
        </Tooltip>
      </header>

      <div
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-4"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys.
        tabIndex={0}
        role="log"
        aria-label={t('tryOut.transcript')}
      >
        {lines.length === 0 && !waiting && !problem && !incomplete && (
          <Beginning onWelcome={() => void say(null)} />
        )}
        <ol className="flex flex-col gap-4 empty:hidden">
          {lines.map((line) => (
            <li key={line.id}>
              <Line
                line={line}
                isSpeaking={speaking === line.id}
                onReplay={() => tryOut.replay(line.id)}
                onHush={tryOut.hush}
              />
            </li>
          ))}
        </ol>
        {waiting && (
          <p role="status" className="mt-4 animate-late px-1 text-ink-faint text-sm">
            {t('tryOut.thinking')}
          </p>
        )}
        {problem && (
          <Banner tone="error" role="alert" className="mt-4">
            {problem}
          </Banner>
        )}
        {incomplete && (
          <Banner tone="warning" role="alert" className="mt-4">
            {t('tryOut.fillFirst')}
          </Banner>
        )}
        <div ref={end} />
      </div>

      {text.length > MAX_MESSAGE_CHARACTERS && (
        <p role="status" className="numbers px-4 pb-1.5 text-right text-urgent-text text-xs">
          {common('charactersTooMany', { count: text.length - MAX_MESSAGE_CHARACTERS })}
        </p>
      )}
      <form
        className="flex items-end gap-1.5 border-line border-t p-2.5"
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <textarea
          rows={1}
          dir="auto"
          value={text}
          onChange={(event) => setText(event.target.value)}
          onKeyDown={onKeyDown}
          aria-label={t('tryOut.ask')}
          placeholder={t('tryOut.placeholder')}
          enterKeyHint="send"
          className="control field-sizing-content max-h-32 min-h-10 flex-1 resize-none px-3 py-1.75 text-[1rem] leading-6 sm:text-base"
        />
        <Button type="submit" size="icon" aria-label={t('tryOut.send')} disabled={!sendable}>
          <ArrowUp aria-hidden="true" />
        </Button>
      </form>
    </section>
  );
}

function Beginning({ onWelcome }: { onWelcome: () => void }) {
  return (
    <div className="flex h-full flex-col items-center justify-center gap-3 py-6 text-center">
      <span className="orb-core grid size-12 place-items-center rounded-full text-white">
        <SigmaGlyph className="size-6" />
      </span>
      <p className="max-w-64 text-ink-muted text-sm">{t('tryOut.invitation')}</p>
      <Button variant="secondary" size="sm" onClick={onWelcome}>
        <AudioLines aria-hidden="true" />
        {t('tryOut.welcome')}
      </Button>
    </div>
  );
}

interface LineProps {
  line: TriedLine;
  isSpeaking: boolean;
  onReplay: () => void;
  onHush: () => void;
}

function Line({ line, isSpeaking, onReplay, onHush }: LineProps) {
  return (
    <SpeechBubble
      own={line.role === 'user'}
      speaker={line.role === 'user' ? t('tryOut.you') : t('tryOut.agent')}
      time={formatTime(line.at)}
      dateTime={line.at}
      footer={
        <>
          {line.hasSound && (
            <Button
              variant="ghost"
              size="sm"
              className="h-7 gap-1.5 px-1.5 font-normal text-ink-faint text-xs [&_svg]:size-3.5"
              onClick={isSpeaking ? onHush : onReplay}
            >
              {isSpeaking ? (
                <Square aria-hidden="true" className="fill-current" />
              ) : (
                <Volume2 aria-hidden="true" />
              )}
              {isSpeaking ? t('tryOut.stop') : t('tryOut.playAgain')}
            </Button>
          )}
          <Sources citations={line.citations} />
        </>
      }
    >
      <span dir="auto">{line.text}</span>
    </SpeechBubble>
  );
}
