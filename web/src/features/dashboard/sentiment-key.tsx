import { useId } from 'react';
import { sentiments } from '#shared/conversations';
import { sentimentNames } from '#web/ui/conversation/sentiment-badge';
import { patternFill, SentimentPatterns } from './sentiment-patterns.tsx';

/** The key of a drawing's fills and sentiments. Screen readers use the table instead. */
export function SentimentKey() {
  const id = useId();
  return (
    <ul aria-hidden="true" className="flex flex-wrap gap-x-4 gap-y-1 text-ink-muted text-xs">
      {sentiments.map((sentiment) => (
        <li key={sentiment} className="flex items-center gap-1.5">
          <svg className="size-3 rounded-[3px]" aria-hidden="true">
            <SentimentPatterns id={`${id}-${sentiment}`} />
            <rect width="12" height="12" fill={patternFill(`${id}-${sentiment}`, sentiment)} />
          </svg>
          {sentimentNames[sentiment]}
        </li>
      ))}
    </ul>
  );
}
