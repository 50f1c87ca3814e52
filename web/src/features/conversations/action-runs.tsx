import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { type ActionRun, actionRunSchema } from '#shared/actions';
import { formatDateTime } from '#web/lib/formats';
import { requestData } from '#web/lib/server/api-client';
import { t } from '#web/texts/conversations';
import { Badge, type BadgeTone } from '#web/ui/badge';

const outcomes: Record<ActionRun['outcome'], [name: string, tone: BadgeTone]> = {
  running: [t('actions.running'), 'neutral'],
  done: [t('actions.done'), 'positive'],
  refused: [t('actions.refused'), 'negative'],
  failed: [t('actions.failed'), 'urgent'],
  unknown: [t('actions.unknown'), 'urgent'],
};

/** The agent's actions during a conversation; empty without any. */
export function ActionRuns({ conversationId, level }: { conversationId: string; level: 1 | 2 }) {
  const { data } = useQuery({
    queryKey: ['conversations', 'actions', conversationId],
    queryFn: ({ signal }) =>
      requestData(`/api/conversations/${encodeURIComponent(conversationId)}/actions`, {
        schema: z.array(actionRunSchema),
        signal,
      }),
  });
  if (!data || data.length === 0) return null;
  const Heading = level === 1 ? 'h2' : 'h3';
  return (
    <section
      aria-label={t('actions.title')}
      className="mt-6 rounded-lg border border-line bg-surface px-5 py-4"
    >
      <Heading className="font-semibold">{t('actions.title')}</Heading>
      <ul className="mt-2 flex flex-col divide-y divide-line">
        {data.map((run) => (
          <Run key={run._id} run={run} />
        ))}
      </ul>
    </section>
  );
}

function Run({ run: { name, at, inputs, outcome, status, ms, problem } }: { run: ActionRun }) {
  const [label, tone] = outcomes[outcome];
  const said = Object.entries(inputs).map(([input, value]) => `${input}: ${value}`);
  return (
    <li className="py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="wrap-anywhere min-w-0 font-medium">{name}</span>
        <Badge tone={tone}>{label}</Badge>
        <span className="numbers text-ink-muted text-sm">
          {[formatDateTime(at), status, ms === undefined ? null : t('actions.milliseconds', { ms })]
            .filter(Boolean)
            .join(' · ')}
        </span>
      </div>
      {said.length > 0 && <p className="wrap-anywhere mt-0.5 text-ink-muted text-sm">{said.join(', ')}</p>}
      {problem && <p className="mt-0.5 text-sm text-urgent-text">{problem}</p>}
    </li>
  );
}
