import { BookOpenText, ChevronDown } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import type { Citation } from '#shared/conversations';
import { t } from '#web/texts/common';

/** Address at which a document opens at the quoted text. */
const documentAddress = (id: string, text: string) =>
  `/documents/${encodeURIComponent(id)}?said=${encodeURIComponent(text.slice(0, 200))}`;

/** The passages of the company's information that a reply quotes, on request. */
export function Sources({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null;
  return (
    <Collapsible.Root className="contents">
      <Collapsible.Trigger className="group inline-flex h-7 items-center gap-1.5 rounded-sm px-1.5 text-ink-faint text-xs transition-colors hover:bg-sunken hover:text-ink">
        <BookOpenText aria-hidden="true" className="size-3.5" />
        {t('sources', { count: citations.length })}
        <ChevronDown
          aria-hidden="true"
          className="size-3.5 transition-transform group-data-[state=open]:rotate-180"
        />
      </Collapsible.Trigger>
      <Collapsible.Content className="w-full">
        <ul className="mt-1 mb-1 flex max-w-[min(36rem,88%)] animate-appear flex-col gap-2.5">
          {citations.map((citation) => (
            <li
              key={`${citation.source} ${citation.text}`}
              className="border-accent-line border-l-2 pl-3 text-sm"
            >
              <p className="font-medium text-ink-muted text-xs">
                {citation.documentId === undefined ? (
                  citation.source
                ) : (
                  // In another tab, because a call continues in this one.
                  <a
                    href={documentAddress(citation.documentId, citation.text)}
                    target="_blank"
                    rel="noopener"
                    className="underline decoration-line underline-offset-2 hover:text-ink"
                  >
                    {citation.source}
                  </a>
                )}
              </p>
              <blockquote className="wrap-anywhere text-ink-muted">{citation.text}</blockquote>
            </li>
          ))}
        </ul>
      </Collapsible.Content>
    </Collapsible.Root>
  );
}
