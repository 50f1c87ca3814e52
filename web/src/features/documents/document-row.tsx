import {
  CalendarClock,
  EllipsisVertical,
  FileText,
  Globe,
  type LucideIcon,
  RefreshCw,
  Replace,
  Table2,
  Trash2,
} from 'lucide-react';
import { Link } from 'react-router';
import type { DocumentKind, KnowledgeDocument } from '#shared/documents';
import { formatAgo, formatCount } from '#web/lib/formats';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import { Spinner } from '#web/ui/spinner';

const kinds: Record<DocumentKind, { name: string; icon: LucideIcon }> = {
  text: { name: 'Text', icon: FileText },
  markdown: { name: 'Markdown', icon: FileText },
  html: { name: 'HTML', icon: FileText },
  pdf: { name: 'PDF', icon: FileText },
  docx: { name: 'Word', icon: FileText },
  csv: { name: 'Table', icon: Table2 },
  page: { name: 'Web page', icon: Globe },
};

interface DocumentRowProps {
  document: KnowledgeDocument;
  /** The other agents that read it. */
  sharedWith: readonly string[];
  onReadAgain: () => void;
  onReplace: () => void;
  onSchedule: (readEveryDays: number | null) => void;
  onRemove: () => void;
}

/** One document: what it is, how it stands, and what can be done with it. */
export function DocumentRow(props: DocumentRowProps) {
  const { document, sharedWith, onReadAgain, onReplace, onSchedule, onRemove } = props;
  const { _id, title, kind, source, status, problem, characters, passages, readAt, readEveryDays } = document;
  const { name, icon: Icon } = kinds[kind];
  const isPage = kind === 'page';
  const facts = [
    ...(status === 'failed' && !isPage ? [] : [name]),
    ...(status === 'failed' ? [] : [formatCount(characters, 'character'), formatCount(passages, 'passage')]),
    ...(isPage && readAt ? [`read ${formatAgo(readAt)}`] : []),
    ...(readEveryDays ? [readEveryDays === 1 ? 'every day' : `every ${readEveryDays} days`] : []),
    ...(sharedWith.length > 0 ? [`also read by ${sharedWith.join(', ')}`] : []),
  ];
  return (
    <li className="flex items-start gap-3 border-line border-t px-5 py-3.5 [content-visibility:auto] first:border-t-0 sm:px-6">
      <Icon aria-hidden="true" className="mt-0.5 size-5 shrink-0 text-ink-faint" />
      <div className="min-w-0 flex-1">
        <div className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
          <Link
            to={`/documents/${_id}`}
            dir="auto"
            className="wrap-anywhere font-medium text-ink underline-offset-2 hover:underline"
          >
            {title}
          </Link>
          {status === 'indexing' && (
            <Badge tone="accent">
              <Spinner className="size-3" />
              Reading
            </Badge>
          )}
          {status === 'failed' && <Badge tone="urgent">Not read</Badge>}
        </div>
        <p className="wrap-anywhere mt-0.5 text-ink-faint text-sm">
          {[...(source && source !== title ? [source] : []), ...facts].join(' · ')}
        </p>
        {problem && (
          <p
            className={status === 'failed' ? 'mt-1 text-sm text-urgent-text' : 'mt-1 text-ink-muted text-sm'}
          >
            {problem}
          </p>
        )}
      </div>
      <DropdownMenu
        trigger={
          <Button variant="ghost" size="icon-sm" aria-label={`More about ${title}`} className="-mr-1.5">
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
      >
        {isPage ? (
          <>
            <DropdownMenuItem onSelect={onReadAgain}>
              <RefreshCw aria-hidden="true" />
              Read again
            </DropdownMenuItem>
            {([1, 7, 30] as const).map((days) => (
              <DropdownMenuItem
                key={days}
                disabled={readEveryDays === days}
                onSelect={() => onSchedule(days)}
              >
                <CalendarClock aria-hidden="true" />
                {days === 1 ? 'Read every day' : `Read every ${days} days`}
              </DropdownMenuItem>
            ))}
            {readEveryDays && (
              <DropdownMenuItem onSelect={() => onSchedule(null)}>
                <CalendarClock aria-hidden="true" />
                No longer by itself
              </DropdownMenuItem>
            )}
          </>
        ) : (
          <DropdownMenuItem onSelect={onReplace}>
            <Replace aria-hidden="true" />
            Replace with a file
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={onRemove}>
          <Trash2 aria-hidden="true" />
          Remove
        </DropdownMenuItem>
      </DropdownMenu>
    </li>
  );
}
