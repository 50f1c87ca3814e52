import { CircleCheck } from 'lucide-react';
import { type ReactNode, useRef, useState } from 'react';
import { logProblem } from '#web/lib/log';
import { t } from '#web/texts/unanswered';
import { EmptyState } from '#web/ui/empty-state';
import { AlertDialog } from '#web/ui/layers/alert-dialog';
import { toast } from '#web/ui/layers/toast';
import { LoadProblem } from '#web/ui/load-problem';
import { Skeleton } from '#web/ui/skeleton';
import { type ShownUnanswered, useDismissQuestion, useUnanswered } from './api.ts';
import { UnansweredCard } from './unanswered-card.tsx';

interface UnansweredListProps {
  /** Renders a link to a conversation. */
  conversation: (id: string) => ReactNode;
  /** A link for when the list is empty. */
  elsewhere: ReactNode;
}

/** Questions that agents could not answer, for people to answer. */
export function UnansweredList({ conversation, elsewhere }: UnansweredListProps) {
  const { data, error, isPending, refetch } = useUnanswered();
  const dismissal = useDismissQuestion();
  const [done, setDone] = useState<ReadonlySet<string>>(new Set());
  const [dismissed, setDismissed] = useState<ShownUnanswered | null>(null);
  const [asking, setAsking] = useState(false);
  const list = useRef<HTMLElement>(null);

  if (isPending)
    return (
      <div role="status" aria-label={t('list.loading')} className="flex flex-col gap-4">
        {['a', 'b', 'c'].map((key) => (
          <CardSkeleton key={key} />
        ))}
      </div>
    );
  if (!data) return <LoadProblem title={t('list.loadFailed')} error={error} onRetry={() => void refetch()} />;

  const dismiss = () => {
    if (!dismissed) return;
    dismissal.mutate(dismissed._id, {
      onSuccess: () => list.current?.focus({ preventScroll: true }),
      onError: (problem) => {
        logProblem('The question was not dismissed.', problem);
        toast.error(t('list.dismissFailed'));
      },
    });
  };
  const left = data.filter(({ _id }) => !done.has(_id)).length;
  return (
    <section ref={list} tabIndex={-1} aria-label={t('list.title')} className="outline-none">
      <p role="status" className={data.length > 0 ? 'mb-4 text-ink-muted text-sm' : 'sr-only'}>
        {left > 0 ? t('list.left', { count: left }) : t('list.noneLeft')}
      </p>
      {data.length === 0 ? (
        <EmptyState
          icon={<CircleCheck aria-hidden="true" />}
          title={t('list.empty')}
          text={t('list.emptyText')}
        >
          {elsewhere}
        </EmptyState>
      ) : (
        <ul className="flex flex-col gap-4">
          {data.map((question) => (
            <li key={question._id}>
              <UnansweredCard
                question={question}
                draftKey={`draft.answer.${question._id}`}
                conversation={conversation}
                onAnswered={() => setDone((before) => new Set(before).add(question._id))}
                onDismiss={() => {
                  setDismissed(question);
                  setAsking(true);
                }}
              />
            </li>
          ))}
        </ul>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={setAsking}
        question={t('list.dismissQuestion')}
        detail={
          dismissed &&
          t.rich('list.dismissDetail', {
            text: dismissed.question,
            question: (text) => <bdi className="wrap-anywhere line-clamp-3">{text}</bdi>,
          })
        }
        confirm={t('card.dismiss')}
        tone="primary"
        onConfirm={dismiss}
      />
    </section>
  );
}

function CardSkeleton() {
  return (
    <div className="rounded-lg border border-line bg-surface p-5 sm:p-6">
      <Skeleton className="h-5 w-3/5" />
      <Skeleton className="mt-3 h-4 w-2/5" />
      <div className="mt-5 flex gap-2">
        <Skeleton className="h-8 w-36 rounded-md" />
        <Skeleton className="h-8 w-32 rounded-md" />
      </div>
    </div>
  );
}
