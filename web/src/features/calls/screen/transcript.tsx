import { ArrowDown, RotateCcw } from 'lucide-react';
import { type ReactNode, useMemo, useState } from 'react';
import { formatTime } from '#web/lib/formats';
import { t } from '#web/texts/calls';
import { t as common } from '#web/texts/common';
import { Button } from '#web/ui/button';
import { SpeechBubble } from '#web/ui/conversation/speech-bubble';
import type { CustomerEntry, Entry } from '../state/entries.ts';
import type { Call } from '../use-call.ts';
import { Reply } from './reply.tsx';
import { useFollowNewest } from './use-follow-newest.ts';

interface TranscriptProps {
  call: Call;
  speaker: string;
  /** A notice for the caller before the first words; null until it is known. */
  notice: string | null;
  /** Shown until the first message. */
  children?: ReactNode;
}

/** All messages of the call, with the newest in view unless the reader has scrolled up. */
export function Transcript({ call, speaker, notice, children }: TranscriptProps) {
  const { entries, waiting, typing, speaking, talk } = call.state;
  const preparing = (waiting || typing) && talk.text === '' && entries.at(-1)?.kind !== 'agent';
  const last = entries.at(-1);
  const ownCount = useMemo(() => entries.filter((entry) => entry.kind === 'customer').length, [entries]);
  const newest = `${entries.length} ${last?.id} ${last?.text.length} ${preparing} ${talk.text.length}`;
  const { ref, unseen, catchUp } = useFollowNewest(newest, ownCount);

  return (
    <div className="relative flex min-h-0 flex-1 flex-col">
      <section
        ref={ref}
        aria-label={t('transcript.title')}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto overscroll-contain px-4 py-5 sm:px-5 focus-visible:-outline-offset-2"
      >
        <ol className="flex min-h-full flex-col justify-end gap-4">
          {entries.length === 0 && <li className="my-auto">{children}</li>}
          {entries.length > 0 && notice && (
            <li className="text-balance text-center text-ink-faint text-xs">{notice}</li>
          )}
          {entries.map((entry) => (
            <li key={entry.id}>
              {entry.kind === 'agent' ? (
                <Reply
                  entry={entry}
                  speaker={speaker}
                  spoken={speaking?.replyId === entry.id ? speaking.index : null}
                  canReplay={call.canReplay(entry.id)}
                  onReplay={call.replay}
                />
              ) : (
                <OwnMessage entry={entry} onAgain={call.sayAgain} />
              )}
            </li>
          ))}
          {talk.text !== '' && (
            <li>
              <FormingMessage text={talk.text} />
            </li>
          )}
          {preparing && (
            <li className="animate-late">
              <TypingDots speaker={speaker} />
            </li>
          )}
        </ol>
      </section>
      {unseen && (
        <Button
          variant="secondary"
          size="sm"
          onClick={catchUp}
          className="-translate-x-1/2 absolute bottom-3 left-1/2 animate-appear rounded-full shadow-float"
        >
          <ArrowDown aria-hidden="true" />
          {t('transcript.newMessage')}
        </Button>
      )}
      <Announcement call={call} speaker={speaker} />
    </div>
  );
}

function OwnMessage({ entry, onAgain }: { entry: CustomerEntry; onAgain: (id: string) => void }) {
  const { delivery, problem } = entry;
  const troubled = delivery === 'failed' || delivery === 'unanswered';
  return (
    <SpeechBubble
      own
      speaker={t('transcript.you')}
      time={formatTime(entry.at)}
      dateTime={entry.at}
      footer={
        <>
          {delivery === 'sending' && (
            <span className="animate-late px-1 text-ink-faint text-xs [animation-delay:900ms]">
              {t('transcript.sending')}
            </span>
          )}
          {troubled && (
            <>
              <span className="px-1 text-urgent-text text-xs">
                {delivery === 'failed'
                  ? t('transcript.notSent', { reason: problem ?? '' })
                  : t('transcript.notAnswered')}
              </span>
              <Button
                variant="ghost"
                size="sm"
                className="h-7 gap-1.5 px-1.5 text-xs [&_svg]:size-3.5"
                onClick={() => onAgain(entry.id)}
              >
                <RotateCcw aria-hidden="true" />
                {common('tryAgain')}
              </Button>
            </>
          )}
        </>
      }
    >
      {entry.text}
    </SpeechBubble>
  );
}

/** The words recognised so far; the finished message replaces them in the same place. */
function FormingMessage({ text }: { text: string }) {
  const [at] = useState(() => new Date().toISOString());
  return (
    <div data-forming="">
      <SpeechBubble own speaker={t('transcript.you')} time={formatTime(at)} dateTime={at}>
        <span className="opacity-80">{text}</span>
        <span aria-hidden="true" className="ml-1 inline-flex gap-0.5 align-middle">
          {[0, 1, 2].map((dot) => (
            <span
              key={dot}
              className="size-1 animate-dot rounded-full bg-current"
              style={{ animationDelay: `${dot * 160}ms` }}
            />
          ))}
        </span>
      </SpeechBubble>
    </div>
  );
}

function TypingDots({ speaker }: { speaker: string }) {
  return (
    <div className="inline-flex h-10 items-center gap-1.5 rounded-xl rounded-tl-sm border border-line bg-surface px-4">
      <span className="sr-only">{t('transcript.preparing', { speaker })}</span>
      {[0, 1, 2].map((dot) => (
        <span
          key={dot}
          aria-hidden="true"
          className="size-1.5 animate-dot rounded-full bg-ink-faint"
          style={{ animationDelay: `${dot * 160}ms` }}
        />
      ))}
    </div>
  );
}

/** Announces each reply to screen readers once, when it is complete, and the text of each spoken message. */
function Announcement({ call, speaker }: { call: Call; speaker: string }) {
  const { entries, connection, conversationId } = call.state;
  const last = entries.at(-1);
  const said = last ? announcementOf(last, speaker) : '';
  const lost = connection === 'lost' && conversationId !== null;
  return (
    <p aria-live="polite" className="sr-only">
      {lost ? '' : said}
    </p>
  );
}

function announcementOf(entry: Entry, speaker: string): string {
  if (entry.kind === 'customer') return entry.isSpoken ? t('transcript.youSaid', { text: entry.text }) : '';
  return entry.messageId === null ? '' : `${entry.colleague ?? speaker}: ${entry.text}`;
}
