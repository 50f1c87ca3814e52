import { API_URL } from '#web/lib/api-client';
import { formatTime } from '#web/lib/formats';
import { Sources } from '#web/ui/sources';
import { SpeechBubble } from '#web/ui/speech-bubble';
import type { ShownMessage } from './api.ts';

/** Everything said in a conversation, oldest first. */
export function ConversationMessages({ messages }: { messages: readonly ShownMessage[] }) {
  const shown = messages.filter((message) => message.role !== 'system');
  if (shown.length === 0)
    return <p className="py-16 text-center text-ink-muted">No messages in this conversation yet</p>;
  return (
    <ol className="flex flex-col gap-5">
      {shown.map((message) => (
        <li key={message._id}>
          <SpeechBubble
            own={message.role === 'user'}
            speaker={message.role === 'user' ? 'You' : 'AI Assistant'}
            time={formatTime(message.timestamp)}
            dateTime={message.timestamp}
            footer={<MessageFooter message={message} />}
          >
            {message.content}
          </SpeechBubble>
        </li>
      ))}
    </ol>
  );
}

function MessageFooter({ message }: { message: ShownMessage }) {
  if (!message.interrupted && !message.citations?.length && !message.audioUrl) return null;
  return (
    <>
      {message.audioUrl && (
        // biome-ignore lint/a11y/useMediaCaption: the words stand right above it.
        <audio
          controls
          preload="none"
          src={new URL(message.audioUrl, API_URL || window.location.origin).href}
          aria-label="Recording of this message"
          className="h-9 max-w-full"
        />
      )}
      {message.interrupted && <span className="text-ink-faint text-xs">Interrupted</span>}
      {message.citations && <Sources citations={message.citations} />}
    </>
  );
}
