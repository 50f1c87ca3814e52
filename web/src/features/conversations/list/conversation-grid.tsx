import { defaultRangeExtractor, type Range, useWindowVirtualizer } from '@tanstack/react-virtual';
import {
  type KeyboardEvent,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import { useMedia } from '#web/lib/use-media';
import { t } from '#web/texts/conversations';
import { Spinner } from '#web/ui/spinner';
import type { ShownConversation } from '../api.ts';
import { CARD_HEIGHT, ConversationCard, cardHeight } from './conversation-card.tsx';

const GAP = 16;
/** The bar that sticks to the upper edge of the window. */
const NAVIGATION_HEIGHT = 61;
/** Rows rendered above and below the screen, so that the Tab key and a quick wheel find cards. */
const ROWS_AROUND = 4;

interface ConversationGridProps {
  conversations: readonly ShownConversation[];
  hasMore: boolean;
  isFetchingMore: boolean;
  onMore: () => void;
  /** The reader's own id. */
  readerId: string;
  onDelete: (conversation: ShownConversation) => void;
}

/**
 * Cards in columns, of which only those near the screen are rendered. The page itself scrolls, so that the browser's
 * Back restores the position. Arrow keys, Home and End move between cards.
 */
export function ConversationGrid(props: ConversationGridProps) {
  const { conversations, hasMore, isFetchingMore, onMore, readerId, onDelete } = props;
  const wide = useMedia('(min-width: 64rem)');
  const medium = useMedia('(min-width: 40rem)');
  const columns = wide ? 3 : medium ? 2 : 1;
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const wanted = useRef<number | null>(null);
  const [focusedRow, setFocusedRow] = useState<number | null>(null);

  useLayoutEffect(() => {
    const measure = () => {
      const box = list.current?.getBoundingClientRect();
      if (box) setTop(Math.round(box.top + window.scrollY));
    };
    measure();
    // Content above changes its height: filters wrap, a line is added.
    const watch = new ResizeObserver(measure);
    watch.observe(document.body);
    return () => watch.disconnect();
  }, []);

  const rows = Math.ceil(conversations.length / columns);
  const heights = useMemo(
    () =>
      Array.from({ length: rows }, (_, row) =>
        Math.max(...conversations.slice(row * columns, (row + 1) * columns).map(cardHeight)),
      ),
    [conversations, rows, columns],
  );
  const virtualizer = useWindowVirtualizer({
    count: rows,
    estimateSize: (row) => heights[row] ?? CARD_HEIGHT,
    gap: GAP,
    overscan: ROWS_AROUND,
    // Keeps the focused card, however far the page scrolls, so that the keyboard does not lose its place.
    rangeExtractor: useCallback(
      (range: Range) => {
        const near = defaultRangeExtractor(range);
        if (focusedRow === null || !(focusedRow < range.count) || near.includes(focusedRow)) return near;
        return [...near, focusedRow].sort((a, b) => a - b);
      },
      [focusedRow],
    ),
    scrollMargin: top,
    initialOffset: () => window.scrollY,
    // Would undo the scroll position that Back has restored.
    scrollToFn: () => {},
  });
  // A row that is known is not asked for its height again by itself.
  // biome-ignore lint/correctness/useExhaustiveDependencies: other heights are what it is for.
  useLayoutEffect(() => virtualizer.measure(), [virtualizer, heights]);
  const shown = virtualizer.getVirtualItems();
  const lastShown = shown.filter(({ index }) => index !== focusedRow).at(-1)?.index ?? 0;

  useEffect(() => {
    if (hasMore && !isFetchingMore && lastShown >= rows - ROWS_AROUND - 1) onMore();
  }, [hasMore, isFetchingMore, lastShown, rows, onMore]);

  useEffect(() => {
    // A card that was far away is rendered by now.
    if (wanted.current !== null && focusCard(list.current, wanted.current)) wanted.current = null;
  });

  const onKeyDown = (event: KeyboardEvent<HTMLUListElement>) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const from = placeOf(event.target);
    const to = from + (steps(columns)[event.key] ?? Number.NaN);
    const place = event.key === 'Home' ? 0 : event.key === 'End' ? conversations.length - 1 : to;
    if (Number.isNaN(from) || !(place >= 0 && place < conversations.length)) return;
    event.preventDefault();
    if (!focusCard(list.current, place)) wanted.current = place;
    setFocusedRow(Math.floor(place / columns));
    const row = virtualizer.measurementsCache[Math.floor(place / columns)];
    if (row) bringIntoView(row.start, row.size);
  };

  const width = `calc((100% - ${(columns - 1) * GAP}px) / ${columns})`;
  return (
    <>
      <ul
        ref={list}
        aria-label={t('history.list')}
        onKeyDown={onKeyDown}
        onFocus={(event) => setFocusedRow(Math.floor(placeOf(event.target) / columns))}
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
                  height: row.size,
                  left: `calc((${width} + ${GAP}px) * ${column})`,
                  transform: `translateY(${row.start - top}px)`,
                }}
              >
                <ConversationCard conversation={conversation} readerId={readerId} onDelete={onDelete} />
              </li>
            );
          }),
        )}
      </ul>
      {isFetchingMore && (
        <div role="status" className="flex animate-late justify-center gap-2.5 py-6 text-ink-muted text-sm">
          <Spinner />
          {t('list.loadingMore')}
        </div>
      )}
    </>
  );
}

/** The index of the card around a target; NaN outside of all. */
function placeOf(target: EventTarget): number {
  const item = target instanceof Element ? target.closest('[data-place]') : null;
  return Number(item?.getAttribute('data-place') ?? Number.NaN);
}

/** Scrolls the page just enough to show a whole row between the navigation and the lower edge. */
function bringIntoView(rowTop: number, height: number): void {
  const highest = rowTop - NAVIGATION_HEIGHT - GAP;
  const lowest = rowTop + height + GAP - window.innerHeight;
  if (window.scrollY > highest) window.scrollTo({ top: highest });
  else if (window.scrollY < lowest) window.scrollTo({ top: lowest });
}

const steps = (columns: number): Record<string, number> => ({
  ArrowRight: 1,
  ArrowLeft: -1,
  ArrowDown: columns,
  ArrowUp: -columns,
});

/** @returns whether that card exists */
function focusCard(list: HTMLElement | null, place: number): boolean {
  const card = list?.querySelector<HTMLElement>(`[data-place="${place}"] a`);
  card?.focus({ preventScroll: true });
  return card !== null && card !== undefined;
}
