import { Volume2 } from 'lucide-react';
import { memo } from 'react';
import { cn } from '#web/lib/class-names';
import { formatTime } from '#web/lib/formats';
import { t } from '#web/texts/calls';
import { Button } from '#web/ui/button';
import { Sources } from '#web/ui/conversation/sources';
import { SpeechBubble } from '#web/ui/conversation/speech-bubble';
import type { AgentEntry } from '../state/entries.ts';
import { replyParts } from '../state/reply-text.ts';

interface ReplyProps {
  entry: AgentEntry;
  speaker: string;
  /** Index of the sentence being played; null if none of this reply is. */
  spoken: number | null;
  canReplay: boolean;
  onReplay: (replyId: string) => void;
}

/**
 * One reply of the agent, or of a colleague: its words with the played sentence highlighted, its sources, and a replay
 * button.
 */
export const Reply = memo(function Reply({ entry, speaker, spoken, canReplay, onReplay }: ReplyProps) {
  return (
    <SpeechBubble
      own={false}
      speaker={entry.colleague ?? speaker}
      time={formatTime(entry.at)}
      dateTime={entry.at}
      footer={
        <>
          {canReplay && (
            <Button
              variant="ghost"
              size="sm"
              className="h-7 gap-1.5 px-1.5 font-normal text-ink-faint text-xs [&_svg]:size-3.5"
              onClick={() => onReplay(entry.id)}
            >
              <Volume2 aria-hidden="true" />
              {t('reply.playAgain')}
            </Button>
          )}
          {entry.interrupted && (
            <span className="px-1.5 text-ink-faint text-xs">{t('reply.interrupted')}</span>
          )}
          <Sources citations={entry.citations} />
        </>
      }
    >
      {entry.text === '' ? (
        <span className="text-ink-faint">{t('reply.unheard')}</span>
      ) : (
        replyParts(entry).map((part) => (
          <span
            key={part.at}
            data-spoken={(part.index !== null && part.index === spoken) || undefined}
            className={cn(
              'box-decoration-clone rounded-[0.25rem] transition-[background-color,box-shadow] duration-200',
              part.index !== null &&
                part.index === spoken &&
                'bg-accent-soft text-accent-text shadow-[0_0_0_3px_var(--accent-soft)]',
            )}
          >
            {part.text}
          </span>
        ))
      )}
    </SpeechBubble>
  );
});
