import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useMedia } from '#web/lib/use-media';
import { Spinner } from '#web/ui/spinner';
import type { ShownConversation } from './api.ts';
import { CARD_HEIGHT, ConversationCard } from './conversation-card.tsx';

const GAP = 16;
/** Rows that stand ready below and above what is seen, so that the Tab key and a quick wheel find cards. */
const ROWS_AROUND = 4;

interface ConversationGridProps {
  conversations: readonly ShownConversation[];
  hasMore: boolean;
  isFetchingMore: boolean;
  onMore: () => void;
  onDelete: (conversation: ShownConversation) => void;
}

/**
 * Cards in columns, of which only those near the screen exist. The page itself scrolls, so that the browser's own Back
 * finds its place. Arrow keys, Home and End go from card to card.
 */
export function ConversationGrid(props: ConversationGridProps) {
  const { conversations, hasMore, isFetchingMore, onMore, onDelete } = props;
  const wide = useMedia('(min-width: 64rem)');
  const medium = useMedia('(min-width: 40rem)');
  const columns = wide ? 3 : medium ? 2 : 1;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const wanted = useRef<number | null>(null);

  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    // What stands above changes its height: filters wrap, a line is added.
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);

  const rows = Math.ceil(conversations.length / columns);
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: () => CARD_HEIGHT,
    gap: GAP,
    overscan: ROWS_AROUND,
    scrollMargin: top,
    initialOffset: () => window.scrollY,
  });
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.at(-1)?.index ?? 0;

  useEffect(() => {
    if (hasMore && !isFetchingMore && lastShown >= rows - ROWS_AROUND - 1) onMore();
  }, [hasMore, isFetchingMore, lastShown, rows, onMore]);

  useEffect(() => {
    // A card that was far away exists now.
    if (wanted.current === null) return;
    const card = cardAt(list.current, wanted.current);
    if (!card) return;
    wanted.current = null;
    card.focus({ preventScroll: true });
  });

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const item = event.target instanceof Element ? event.target.closest('[data-place]') : null;
    const from = Number(item?.getAttribute('data-place') ?? Number.NaN);
    const to = from + (steps(columns)[event.key] ?? Number.NaN);
    const place = event.key === 'Home' ? 0 : event.key === 'End' ? conversations.length - 1 : to;
    if (Number.isNaN(from) || !(place >= 0 && place < conversations.length)) return;
    event.preventDefault();
    wanted.current = place;
    virtualizer.scrollToIndex(Math.floor(place / columns), { align: 'auto' });
    const card = cardAt(list.current, place);
    if (card) {
      wanted.current = null;
      card.focus({ preventScroll: true });
    }
  };

  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`;
  return (
    <>
      <ul
        ref={list}
        aria-label="Conversations"
        onKeyDown={onKeyDown}
        className="relative"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {shown.flatMap((row) =>
          conversations.slice(row.index * columns, (row.index + 1) * columns).map((conversation, column) => {
            const place = row.index * columns + column;
            return (
              <li
                key={conversation._id}
                data-place={place}
                aria-posinset={place + 1}
                aria-setsize={hasMore ? -1 : conversations.length}
                className="absolute top-0"
                style={{
                  width,
                  left: `calc((${width} + ${GAP}px) * ${column})`,
                  transform: `translateY(${row.start - top}px)`,
                }}
              >
                <ConversationCard conversation={conversation} onDelete={() => onDelete(conversation)} />
              </li>
            );
          }),
        )}
      </ul>
      {isFetchingMore && (
        <div role="status" className="flex animate-late justify-center gap-2.5 py-6 text-ink-muted text-sm">
          <Spinner />
          Loading more...
        </div>
      )}
    </>
  );
}

const steps = (columns: number): Record<string, number> => ({
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: columns,
  ArrowUp: -columns,
});

const cardAt = (list: HTMLElement | null, place: number) =>
  list?.querySelector<HTMLElement>(`[data-place="${place}"] a`) ?? null;
