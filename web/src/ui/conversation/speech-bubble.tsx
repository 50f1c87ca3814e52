import type { ReactNode } from 'react';
import { cn } from '#web/lib/class-names';

interface SpeechBubbleProps {
  /** Whether these are the reader's own words, which are on the right. */
  own: boolean;
  speaker: string;
  /** As shown, and in machine-readable form. */
  time: string;
  dateTime: string;
  /** Controls and notes below the words. */
  footer?: ReactNode;
  children: ReactNode;
}

/** One utterance, in a call and in its transcript. */
export function SpeechBubble({ own, speaker, time, dateTime, footer, children }: SpeechBubbleProps) {
  return (
    <article className={cn('flex max-w-full flex-col', own ? 'items-end' : 'items-start')}>
      <header className="mb-1 flex items-baseline gap-2 px-1 text-xs">
        <span className="wrap-anywhere min-w-0 font-medium text-ink-muted">{speaker}</span>
        <time dateTime={dateTime} className="numbers shrink-0 whitespace-nowrap text-ink-faint">
          {time}
        </time>
      </header>
      <div
        className={cn(
          'wrap-anywhere max-w-[min(36rem,88%)] whitespace-pre-wrap rounded-xl px-4 py-2.5',
          own ? 'rounded-tr-sm bg-bubble text-on-bubble' : 'rounded-tl-sm border border-line bg-surface',
        )}
      >
        {children}
      </div>
      {footer && (
        <footer
          className={cn(
            'mt-1 flex w-full flex-wrap items-center gap-1 px-1 empty:hidden',
            own && 'justify-end',
          )}
        >
          {footer}
        </footer>
      )}
    </article>
  );
}
