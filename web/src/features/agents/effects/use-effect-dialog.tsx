import { ArrowUpRight, Equal, MessageCircleQuestion } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import type { Effect } from '#shared/effects';
import type { TriedChange } from '#web/lib/tried-change';
import { t } from '#web/texts/agents';
import { Button } from '#web/ui/button';
import { OutcomeBadge } from '#web/ui/conversation/outcome-badge';
import { EmptyState } from '#web/ui/empty-state';
import { Dialog } from '#web/ui/layers/dialog';
import { linkClasses } from '#web/ui/link-classes';
import { LoadProblem } from '#web/ui/load-problem';
import { Progress } from '#web/ui/progress';
import { useSeeEffect } from './use-see-effect.ts';

/**
 * Shows the answers to customers' last questions before and after a change, without saving it.
 * @returns `see` opens the dialog and asks; `dialog` can be rendered anywhere
 */
export function useEffectDialog(agentId: string): { see: (tried: TriedChange) => void; dialog: ReactNode } {
  const effect = useSeeEffect(agentId);
  const [open, setOpen] = useState(false);
  /** Remains while the dialog closes. */
  const [tried, setTried] = useState<TriedChange | null>(null);

  const see = (next: TriedChange) => {
    setTried(next);
    setOpen(true);
    effect.see(next.change);
  };
  const close = () => {
    setOpen(false);
    effect.giveUp();
  };

  const dialog = tried && (
    <Dialog
      open={open}
      onOpenChange={(isOpen) => !isOpen && close()}
      title={tried.title}
      description={tried.description}
      size="widest"
    >
      {effect.isPending && <Asking readsFirst={typeof tried.change === 'function'} />}
      {effect.error && (
        <LoadProblem
          title={t('effect.failed')}
          error={effect.error}
          onRetry={() => effect.see(tried.change)}
        />
      )}
      {effect.data?.found && <p className="mt-5 text-ink-muted text-sm">{effect.data.found}</p>}
      {effect.data && <Seen effect={effect.data.effect} changedAs={tried.changedAs} />}
      {effect.data && tried.make && (
        <Button
          className="mt-5 self-end"
          onClick={() => {
            close();
            tried.make?.onMake();
          }}
        >
          {tried.make.label}
        </Button>
      )}
    </Dialog>
  );
  return { see, dialog };
}

function Asking({ readsFirst }: { readsFirst: boolean }) {
  return (
    <div role="status" className="flex flex-col items-center gap-4 px-6 py-16 text-center">
      <div className="w-full max-w-64">
        <Progress label={t('effect.asking')} value={null} />
      </div>
      <p className="text-ink-muted text-sm">
        {readsFirst ? t('effect.readingText') : t('effect.askingText')}
      </p>
    </div>
  );
}

interface SeenProps {
  effect: Effect;
  /** The label of the changed state. */
  changedAs: string;
}

function Seen({ effect: { asked, changed, answers }, changedAs }: SeenProps) {
  if (asked === 0)
    return (
      <EmptyState
        icon={<MessageCircleQuestion aria-hidden="true" />}
        title={t('effect.noQuestions')}
        text={t('effect.noQuestionsText')}
      />
    );
  if (changed === 0)
    return (
      <EmptyState
        icon={<Equal aria-hidden="true" />}
        title={t('effect.same')}
        text={t('effect.sameText', { asked })}
      />
    );
  const gained = answers.filter((each) => !isAnswer(each.outcomeBefore) && isAnswer(each.outcomeAfter));
  const lost = answers.filter((each) => isAnswer(each.outcomeBefore) && !isAnswer(each.outcomeAfter));
  return (
    <>
      <div role="status" className="mt-5 rounded-md bg-sunken px-4 py-3">
        <p className="font-medium">{t('effect.changedText', { asked, changed })}</p>
        {gained.length + lost.length > 0 && (
          <p className="mt-1 text-ink-muted text-sm">
            {[
              gained.length > 0 && t('effect.gained', { count: gained.length }),
              lost.length > 0 && t('effect.lost', { count: lost.length }),
            ]
              .filter(Boolean)
              .join(' ')}
          </p>
        )}
      </div>
      <ul
        aria-label={t('effect.list')}
        className="-mx-1 mt-4 flex min-h-0 flex-col divide-y divide-line overflow-y-auto overscroll-contain px-1"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no mouse scrolls it with the arrow keys.
        tabIndex={0}
      >
        {answers.map((answer) => (
          <li key={`${answer.conversationId} ${answer.question}`} className="py-5 first:pt-1">
            <div className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
              <h3 dir="auto" className="wrap-anywhere min-w-0 flex-1 basis-64 font-semibold">
                {answer.question}
              </h3>
              <a
                href={`/conversations/${encodeURIComponent(answer.conversationId)}`}
                // Keeps the typed text of the form.
                target="_blank"
                rel="noreferrer"
                className={`${linkClasses} inline-flex items-center gap-1 text-sm`}
              >
                {t('effect.conversation')}
                <ArrowUpRight aria-hidden="true" className="size-4" />
              </a>
            </div>
            <div className="mt-3 grid gap-3 sm:grid-cols-2">
              <Answer title={t('effect.now')} text={answer.before} outcome={answer.outcomeBefore} />
              <Answer title={changedAs} text={answer.after} outcome={answer.outcomeAfter} isNew />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
}

const isAnswer = (outcome: Effect['answers'][number]['outcomeAfter']) => outcome === 'answered';

interface AnswerProps {
  title: string;
  text: string;
  outcome: Effect['answers'][number]['outcomeAfter'];
  isNew?: boolean;
}

function Answer({ title, text, outcome, isNew = false }: AnswerProps) {
  return (
    <section
      aria-label={title}
      className={
        isNew
          ? 'rounded-md border border-accent-line bg-accent-soft/50 p-4'
          : 'rounded-md border border-line p-4'
      }
    >
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h4 className="font-medium text-ink-muted text-sm">{title}</h4>
        <OutcomeBadge outcome={outcome} />
      </div>
      <p dir="auto" className="wrap-anywhere mt-2 whitespace-pre-wrap text-sm">
        {text}
      </p>
    </section>
  );
}
