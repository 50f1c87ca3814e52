import { useEffect, useRef } from 'react';
import { cn } from '#web/lib/class-names';
import { useCallNotice } from '#web/lib/server/call-notice';
import { t } from '#web/texts/rooms';
import type { RoomCaption } from './connection/room-state.ts';

/** Within this many pixels of the end, the list follows new captions. */
const NEAR_THE_END = 48;

/** Everybody's words as they are spoken. The newest stays in view unless the reader has scrolled up. */
export function Captions({ captions }: { captions: readonly RoomCaption[] }) {
  const notice = useCallNotice();
  const list = useRef<HTMLElement>(null);
  const follows = useRef(true);
  // biome-ignore lint/correctness/useExhaustiveDependencies: every change of the captions may need it.
  useEffect(() => {
    const element = list.current;
    if (element && follows.current) element.scrollTop = element.scrollHeight;
  }, [captions]);
  const newest = captions.findLast((caption) => caption.isFinal);
  return (
    <section
      ref={list}
      aria-label={t('captions.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys.
      tabIndex={0}
      onScroll={({ currentTarget }) => {
        const { scrollHeight, scrollTop, clientHeight } = currentTarget;
        follows.current = scrollHeight - scrollTop - clientHeight < NEAR_THE_END;
      }}
      className="min-h-0 flex-1 overflow-y-auto overscroll-contain border-line border-t px-4 py-4 sm:px-5 focus-visible:-outline-offset-2"
    >
      {notice && <p className="mb-3 text-balance text-center text-ink-faint text-xs">{notice}</p>}
      {captions.length === 0 ? (
        <p className="text-ink-faint text-sm">{t('captions.none')}</p>
      ) : (
        <ol className="flex flex-col gap-3">
          {captions.map((caption) => (
            <li key={caption.id} className="text-sm">
              <span
                dir="auto"
                className={cn(
                  'block font-medium text-xs',
                  caption.isAgent ? 'text-accent-text' : 'text-ink-faint',
                )}
              >
                {caption.isLocal ? t('captions.you') : caption.speaker}
              </span>
              {/* The speaker's name keeps its contrast, because it is small. */}
              <span dir="auto" className={cn('wrap-anywhere', !caption.isFinal && 'opacity-75')}>
                {caption.text}
              </span>
            </li>
          ))}
        </ol>
      )}
      <p aria-live="polite" className="sr-only">
        {newest && !newest.isLocal ? `${newest.speaker}: ${newest.text}` : ''}
      </p>
    </section>
  );
}
