import { API_URL } from '#web/lib/api-client';
import { cn } from '#web/lib/class-names';
import { formatTime } from '#web/lib/formats';
import { AudioClip } from '#web/ui/audio-clip';
import { sentimentFills, sentimentNames } from '#web/ui/sentiment-badge';
import { Sources } from '#web/ui/sources';
import { SpeechBubble } from '#web/ui/speech-bubble';
import type { ShownConversation, ShownMessage } from './api.ts';
import { shownMessages, speakerOf } from './transcript-files.ts';

/** Everything said in a conversation, oldest first; a rail shows how the customer stood at each turn. */
export function ConversationMessages({ conversation }: { conversation: ShownConversation }) {
  const shown = shownMessages(conversation);
  if (shown.length === 0)
    return <p className="py-16 text-center text-ink-muted">No messages in this conversation yet</p>;
  return (
    <ol aria-label="Messages" className="flex flex-col gap-5">
      {shown.map((message) => (
        <li key={message._id} className={cn('relative', message.role === 'user' && 'pr-3.5')}>
          <SpeechBubble
            own={message.role === 'user'}
            speaker={speakerOf(message)}
            time={formatTime(message.timestamp)}
            dateTime={message.timestamp}
            footer={<MessageFooter message={message} />}
          >
            <div dir="auto">{message.content}</div>
          </SpeechBubble>
          {message.role === 'user' && message.sentiment && <Rail sentiment={message.sentiment} />}
        </li>
      ))}
    </ol>
  );
}

function Rail({ sentiment }: { sentiment: NonNullable<ShownMessage['sentiment']> }) {
  return (
    <span
      title={sentimentNames[sentiment]}
      className={cn(
        'absolute inset-y-0 right-0 w-1 rounded-full',
        sentimentFills[sentiment],
        sentiment === 'neutral' && 'opacity-45',
      )}
    >
      <span className="sr-only">Sentiment: {sentimentNames[sentiment]}</span>
    </span>
  );
}

function MessageFooter({ message }: { message: ShownMessage }) {
  if (!message.interrupted && !message.citations?.length && !message.audioUrl) return null;
  return (
    <>
      {message.audioUrl && (
        <AudioClip
          src={new URL(message.audioUrl, API_URL || window.location.origin).href}
          label={`Recording of ${message.role === 'user' ? 'your message' : 'this reply'}`}
        />
      )}
      {message.interrupted && <span className="text-ink-faint text-xs">Interrupted</span>}
      {message.citations && <Sources citations={message.citations} />}
    </>
  );
}
