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
import { formatAgo } from '#web/lib/formats';
import { t } from '#web/texts/documents';
import { Badge } from '#web/ui/badge';
import { Button } from '#web/ui/button';
import { DropdownMenu, DropdownMenuItem } from '#web/ui/layers/dropdown-menu';
import { Spinner } from '#web/ui/spinner';

const kinds: Record<DocumentKind, { name: string; icon: LucideIcon }> = {
  text: { name: t('kinds.text'), icon: FileText },
  markdown: { name: t('kinds.markdown'), icon: FileText },
  html: { name: t('kinds.html'), icon: FileText },
  pdf: { name: t('kinds.pdf'), icon: FileText },
  docx: { name: t('kinds.word'), icon: FileText },
  csv: { name: t('kinds.table'), icon: Table2 },
  page: { name: t('kinds.page'), icon: Globe },
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

/** One document: its kind, its status, and its actions. */
export function DocumentRow(props: DocumentRowProps) {
  const { document, sharedWith, onReadAgain, onReplace, onSchedule, onRemove } = props;
  const { _id, title, kind, source, status, problem, characters, passages, readAt, readEveryDays } = document;
  const { name, icon: Icon } = kinds[kind];
  const isPage = kind === 'page';
  const facts = [
    ...(status === 'failed' && !isPage ? [] : [name]),
    ...(status === 'failed'
      ? []
      : [t('characters', { count: characters }), t('passages', { count: passages })]),
    ...(isPage && readAt ? [t('read', { when: formatAgo(readAt) })] : []),
    ...(readEveryDays ? [t('row.schedule', { days: readEveryDays })] : []),
    ...(sharedWith.length > 0 ? [t('row.sharedWith', { agents: sharedWith.join(', ') })] : []),
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
              {t('row.reading')}
            </Badge>
          )}
          {status === 'failed' && <Badge tone="urgent">{t('row.notRead')}</Badge>}
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
          <Button variant="ghost" size="icon-sm" aria-label={t('row.more', { title })} className="-mr-1.5">
            <EllipsisVertical aria-hidden="true" />
          </Button>
        }
      >
        {isPage ? (
          <>
            <DropdownMenuItem onSelect={onReadAgain}>
              <RefreshCw aria-hidden="true" />
              {t('row.readAgain')}
            </DropdownMenuItem>
            {([1, 7, 30] as const).map((days) => (
              <DropdownMenuItem
                key={days}
                disabled={readEveryDays === days}
                onSelect={() => onSchedule(days)}
              >
                <CalendarClock aria-hidden="true" />
                {t('row.setSchedule', { days })}
              </DropdownMenuItem>
            ))}
            {readEveryDays && (
              <DropdownMenuItem onSelect={() => onSchedule(null)}>
                <CalendarClock aria-hidden="true" />
                {t('row.stopSchedule')}
              </DropdownMenuItem>
            )}
          </>
        ) : (
          <DropdownMenuItem onSelect={onReplace}>
            <Replace aria-hidden="true" />
            {t('row.replace')}
          </DropdownMenuItem>
        )}
        <DropdownMenuItem onSelect={onRemove}>
          <Trash2 aria-hidden="true" />
          {t('row.remove')}
        </DropdownMenuItem>
      </DropdownMenu>
    </li>
  );
}
