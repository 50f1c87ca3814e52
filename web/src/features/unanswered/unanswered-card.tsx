import { ChevronDown, CircleCheck, PenLine, Plus, X } from 'lucide-react';
import { Collapsible } from 'radix-ui';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { Link } from 'react-router';
import type { AnsweredNow } from '#shared/insights';
import { formatAgo } from '#web/lib/formats';
import { useDraft } from '#web/lib/use-draft';
import { t } from '#web/texts/unanswered';
import { Button } from '#web/ui/button';
import { Card } from '#web/ui/card';
import { Tooltip } from '#web/ui/layers/tooltip';
import { AnswerForm } from './answer-form.tsx';
import { AnswerNow } from './answer-now.tsx';
import type { ShownUnanswered } from './api.ts';

interface UnansweredCardProps {
  question: ShownUnanswered;
  draftKey: string;
  conversation: (id: string) => ReactNode;
  onAnswered: () => void;
  onDismiss: () => void;
}

/** One question in all its wordings, with the actions for it. */
export function UnansweredCard(props: UnansweredCardProps) {
  const { question: asked, draftKey, conversation, onAnswered, onDismiss } = props;
  const [draft, setDraft] = useDraft(draftKey);
  const [writing, setWriting] = useState(draft !== '');
  const [result, setResult] = useState<AnsweredNow | null>(null);
  const id = useId();
  // "Last about 2 hours ago" is no English.
  const when = formatAgo(asked.lastAsked).replace(/^about /, '');
  const write = useRef<HTMLButtonElement>(null);
  const wasWriting = useRef(writing);

  useEffect(() => {
    // Cancelling returns the focus to the button that opened the form.
    if (wasWriting.current && !writing && !result) write.current?.focus();
    wasWriting.current = writing;
  }, [writing, result]);

  return (
    <Card className="p-5 sm:p-6">
      <article aria-labelledby={id}>
        <div className="flex items-start justify-between gap-3">
          <h2 id={id} dir="auto" className="wrap-anywhere line-clamp-6 min-w-0 font-semibold text-lg">
            {asked.question}
          </h2>
          {result ? (
            <span className="mt-0.5 inline-flex shrink-0 items-center gap-1.5 font-medium text-positive-text text-sm">
              <CircleCheck aria-hidden="true" className="size-4" />
              {result.outcome === 'answered' ? t('card.done') : t('card.saved')}
            </span>
          ) : (
            <Tooltip text={t('card.dismiss')}>
              <Button
                variant="ghost"
                size="icon-sm"
                aria-label={t('card.dismiss')}
                aria-describedby={id}
                onClick={onDismiss}
                className="-mt-1 -mr-2 text-ink-faint"
              >
                <X aria-hidden="true" />
              </Button>
            </Tooltip>
          )}
        </div>
        <p className="numbers mt-1 flex flex-wrap gap-x-4 text-ink-muted text-sm">
          <span>{t('card.asked', { count: asked.count, when })}</span>
          <span className="wrap-anywhere">
            {t.rich('card.askedAgent', {
              name: asked.agentName,
              agent: (text) => <bdi className="font-medium text-ink">{text}</bdi>,
            })}
          </span>
        </p>
        {asked.agentId === null && (
          <p className="mt-3 rounded-md bg-sunken px-4 py-3 text-ink-muted text-sm">
            {t('card.demoAgent', { agent: asked.agentName })}
          </p>
        )}
        {writing && !result && (
          <AnswerForm
            question={asked}
            text={draft}
            onText={setDraft}
            onCancel={() => {
              setDraft('');
              setWriting(false);
            }}
            onSaved={(answered) => {
              setDraft('');
              setWriting(false);
              setResult(answered);
              onAnswered();
            }}
          />
        )}
        {result && <AnswerNow result={result} agentName={asked.agentName} agentId={asked.agentId} />}
        <Collapsible.Root className="mt-4">
          <div className="flex flex-wrap items-center gap-2">
            {asked.agentId === null ? (
              <Button asChild size="sm">
                <Link to="/agents/create">
                  <Plus aria-hidden="true" />
                  {t('card.createAgent')}
                </Link>
              </Button>
            ) : (
              !writing &&
              !result && (
                <Button ref={write} size="sm" onClick={() => setWriting(true)}>
                  <PenLine aria-hidden="true" />
                  {t('card.write')}
                </Button>
              )
            )}
            {asked.conversations.length > 0 && (
              <Collapsible.Trigger asChild>
                <Button variant="ghost" size="sm" className="group">
                  {t('card.conversations', { count: asked.conversations.length })}
                  <ChevronDown
                    aria-hidden="true"
                    className="transition-transform group-data-[state=open]:rotate-180"
                  />
                </Button>
              </Collapsible.Trigger>
            )}
          </div>
          <Collapsible.Content>
            <Conversations ids={asked.conversations} draw={conversation} />
          </Collapsible.Content>
        </Collapsible.Root>
      </article>
    </Card>
  );
}

/** Each is loaded when it is shown. */
const AT_ONCE = 8;

function Conversations({ ids, draw }: { ids: readonly string[]; draw: (id: string) => ReactNode }) {
  const [shown, setShown] = useState(AT_ONCE);
  return (
    <div className="mt-3 animate-appear border-line border-t pt-2">
      <ul>
        {ids.slice(0, shown).map((id) => (
          <li key={id}>{draw(id)}</li>
        ))}
      </ul>
      {ids.length > shown && (
        <Button variant="ghost" size="sm" className="-ml-3 mt-1" onClick={() => setShown(shown + AT_ONCE)}>
          {t('card.more')}
        </Button>
      )}
    </div>
  );
}
