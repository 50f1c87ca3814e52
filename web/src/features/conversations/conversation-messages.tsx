import { type ComponentType, type MouseEvent, memo, useCallback, useMemo, useRef } from 'react';
import type { Outcome } from '#shared/conversations';
import { cn } from '#web/lib/class-names';
import { formatTime } from '#web/lib/formats';
import { t } from '#web/texts/conversations';
import { outcomeIcons } from '#web/ui/conversation/outcome-badge';
import { sentimentFills, sentimentNames } from '#web/ui/conversation/sentiment-badge';
import { Sources } from '#web/ui/conversation/sources';
import { SpeechBubble } from '#web/ui/conversation/speech-bubble';
import { type ShownConversation, type ShownMessage, useConversation } from './api.ts';
import { PlayerBar } from './listening/player-bar.tsx';
import { TurnSound } from './listening/turn-sound.tsx';
import { type Listening, useConversationPlayer, usePlayer } from './listening/use-conversation-player.ts';
import { useFollow } from './listening/use-follow.ts';
import { useListeningKeys } from './listening/use-listening-keys.ts';
import { shownMessages, speakerOf } from './transcript-files.ts';

/** All messages of a conversation, oldest first, to read and play; a rail shows the customer's mood. */
export function ConversationMessages({ conversation }: { conversation: ShownConversation }) {
  const shown = useMemo(() => shownMessages(conversation), [conversation]);
  const { refetch } = useConversation(conversation._id);
  const reload = useCallback(async () => {
    const { data } = await refetch();
    return data ? shownMessages(data) : [];
  }, [refetch]);
  const listening = useConversationPlayer(shown, reload);
  if (shown.length === 0) return <p className="py-16 text-center text-ink-muted">{t('messages.none')}</p>;
  return <Said messages={shown} listening={listening} />;
}

function Said({ messages, listening }: { messages: readonly ShownMessage[]; listening: Listening }) {
  const { player, timeline } = listening;
  const list = useRef<HTMLOListElement>(null);
  const follow = useFollow(player, list);
  useListeningKeys(player);
  return (
    <>
      <ol ref={list} aria-label={t('messages.title')} className="flex flex-col gap-3">
        {messages.map((message) => (
          <Line key={message._id} message={message} listening={listening} />
        ))}
      </ol>
      {timeline.hasSound && (
        <PlayerBar player={player} timeline={timeline} messages={messages} onFollow={follow} />
      )}
    </>
  );
}

const Line = memo(function Line({ message, listening }: { message: ShownMessage; listening: Listening }) {
  const { player, timeline } = listening;
  const isPlaying = usePlayer(player, ({ turnId }) => turnId === message._id);
  const isOwn = message.role === 'user';
  const hear = (event: MouseEvent) => {
    // Selecting words and using controls must not start playing.
    if (window.getSelection()?.toString()) return;
    if (event.target instanceof Element && event.target.closest('button, a, details, [role="group"]')) return;
    player.playTurn(message._id);
  };
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: whoever uses keys has the button of its recording, and of the player.
    <li
      data-turn={message._id}
      aria-current={isPlaying || undefined}
      onClick={timeline.hasSound ? hear : undefined}
      className={cn(
        'relative -mx-2.5 scroll-mb-36 rounded-lg px-2.5 py-1.5 transition-colors',
        isOwn && 'pr-6',
        isPlaying && 'bg-accent-soft',
        timeline.hasSound && 'cursor-pointer',
      )}
    >
      <SpeechBubble
        own={isOwn}
        speaker={speakerOf(message)}
        time={formatTime(message.timestamp)}
        dateTime={message.timestamp}
        footer={<MessageFooter message={message} listening={listening} />}
      >
        <div dir="auto">{message.content}</div>
      </SpeechBubble>
      {isOwn && message.sentiment && <Rail sentiment={message.sentiment} />}
    </li>
  );
});

function Rail({ sentiment }: { sentiment: NonNullable<ShownMessage['sentiment']> }) {
  return (
    <span
      title={sentimentNames[sentiment]}
      className={cn(
        'absolute inset-y-1.5 right-2.5 w-1 rounded-full',
        sentimentFills[sentiment],
        sentiment === 'neutral' && 'opacity-45',
      )}
    >
      <span className="sr-only">{t('messages.sentiment', { sentiment: sentimentNames[sentiment] })}</span>
    </span>
  );
}

/** The notable outcomes of replies, which are not plain answers. */
const outcomeMarks: Partial<Record<Outcome, { text: string; Icon: ComponentType<{ className?: string }> }>> =
  {
    offered: { text: t('messages.offered'), Icon: outcomeIcons.offered },
    'asked-back': { text: t('messages.askedBack'), Icon: outcomeIcons['asked-back'] },
    declined: { text: t('messages.declined'), Icon: outcomeIcons.declined },
    handover: { text: t('messages.handover'), Icon: outcomeIcons.handover },
  };

function MessageFooter({ message, listening }: { message: ShownMessage; listening: Listening }) {
  const mark = message.role === 'assistant' && message.outcome ? outcomeMarks[message.outcome] : undefined;
  if (!message.interrupted && !message.citations?.length && !message.audioUrl && !mark) return null;
  return (
    <>
      {message.audioUrl && <TurnSound message={message} listening={listening} />}
      {message.interrupted && <span className="text-ink-faint text-xs">{t('messages.interrupted')}</span>}
      {mark && (
        <span className="inline-flex items-center gap-1 px-1.5 text-ink-faint text-xs">
          <mark.Icon aria-hidden className="size-3.5" />
          {mark.text}
        </span>
      )}
      {message.citations && <Sources citations={message.citations} />}
    </>
  );
}
