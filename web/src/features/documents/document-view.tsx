import { useEffect, useRef } from 'react';
import { cn } from '#web/lib/class-names';
import { formatDateTime } from '#web/lib/formats';
import { t } from '#web/texts/documents';
import { Badge } from '#web/ui/badge';
import { Banner } from '#web/ui/banner';
import { LoadProblem } from '#web/ui/load-problem';
import { PageHeader, PageTitle } from '#web/ui/page';
import { Skeleton } from '#web/ui/skeleton';
import { useDocument } from './api.ts';

interface DocumentViewProps {
  id: string;
  /** The words that a reply quoted: the passage with them is shown first. */
  said: string;
}

/** A document as its agents read it: passage by passage. */
export function DocumentView({ id, said }: DocumentViewProps) {
  const { data, error, refetch } = useDocument(id);
  const marked = useRef<HTMLLIElement>(null);
  const place = data && said ? data.passages.findIndex(({ text }) => holds(text, said)) : -1;
  useEffect(() => {
    if (place >= 0) marked.current?.scrollIntoView({ block: 'center' });
  }, [place]);

  if (error && !data) return <LoadProblem title={t('view.loadFailed')} error={error} onRetry={refetch} />;
  if (!data)
    return (
      <div role="status" aria-label={t('view.loading')} className="flex flex-col gap-4">
        <Skeleton className="h-9 w-2/3 rounded-md" />
        <Skeleton className="h-28 rounded-md" />
        <Skeleton className="h-28 rounded-md" />
      </div>
    );
  const { title, source, status, problem, characters, passages, readAt } = data;
  return (
    <>
      <PageTitle>{title}</PageTitle>
      <PageHeader
        title={title}
        text={[
          t('passages', { count: passages.length }),
          t('characters', { count: characters }),
          ...(readAt ? [t('read', { when: formatDateTime(readAt) })] : []),
        ].join(' · ')}
      />
      {source && (
        <p className="wrap-anywhere mt-1.5 text-ink-faint text-sm">
          {/^https?:/.test(source) ? (
            <a
              href={source}
              target="_blank"
              rel="noopener noreferrer"
              className="underline underline-offset-2"
            >
              {source}
            </a>
          ) : (
            source
          )}
        </p>
      )}
      {status === 'indexing' && (
        <Banner className="mt-5" role="status">
          {t('view.reading')}
        </Banner>
      )}
      {problem && (
        <Banner tone={status === 'failed' ? 'error' : 'warning'} className="mt-5">
          {problem}
        </Banner>
      )}
      <ol aria-label={t('view.passages')} className="mt-6 flex flex-col gap-3">
        {passages.map(({ _id, heading, text }, at) => (
          <li
            key={_id}
            ref={at === place ? marked : undefined}
            aria-current={at === place || undefined}
            className={cn(
              'rounded-lg border bg-surface p-4 [contain-intrinsic-size:auto_7rem] [content-visibility:auto]',
              at === place ? 'border-accent' : 'border-line',
            )}
          >
            {(heading || at === place) && (
              <p className="mb-1.5 flex flex-wrap items-center gap-2 font-medium text-ink-muted text-xs">
                <span dir="auto">{heading}</span>
                {at === place && <Badge tone="accent">{t('view.quoted')}</Badge>}
              </p>
            )}
            <p dir="auto" className="wrap-anywhere whitespace-pre-line text-sm">
              {text}
            </p>
          </li>
        ))}
      </ol>
    </>
  );
}

/** Compares words only: a passage has column names in its rows, a citation does not. */
function holds(text: string, said: string): boolean {
  if (text.includes(said)) return true;
  const words = said.split(/[\s|]+/).filter(Boolean);
  return words.length > 2 && words.every((word) => text.includes(word));
}
