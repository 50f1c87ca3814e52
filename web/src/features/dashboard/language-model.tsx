import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { type ModelUsage, type MonthOfModel, modelUsageSchema } from '#shared/insights';
import { formatCost } from '#web/lib/formats';
import { requestData } from '#web/lib/server/api-client';
import { t } from '#web/texts/dashboard';
import { Banner } from '#web/ui/banner';
import { Card, CardBody, CardHeader, CardTitle } from '#web/ui/card';
import { Progress } from '#web/ui/progress';

/** The use of language models this month and last, and today's share of the limit; empty without use. */
export function LanguageModel({ className }: { className?: string }) {
  const { data: usage } = useQuery({
    queryKey: ['stats', 'usage'],
    queryFn: ({ signal }) => requestData('/api/insights/usage', { schema: modelUsageSchema, signal }),
    staleTime: 0,
  });
  if (!usage || (usage.months.length === 0 && usage.today.limit === null)) return null;
  const { scope, months, today } = usage;
  const thisMonth = new Date().toISOString().slice(0, 7);
  return (
    <Card className={className}>
      <CardHeader>
        <CardTitle>{t('model.title')}</CardTitle>
        <span className="text-ink-muted text-sm">
          {scope === 'installation' ? t('model.allAccounts') : t('model.yourAccount')}
        </span>
      </CardHeader>
      <CardBody className="grid gap-6 pt-4 sm:grid-cols-2 sm:pt-4">
        <Month name={t('model.thisMonth')} rows={months.filter(({ month }) => month === thisMonth)} />
        <Month name={t('model.lastMonth')} rows={months.filter(({ month }) => month < thisMonth)} />
        <Today today={today} />
      </CardBody>
    </Card>
  );
}

function Month({ name, rows }: { name: string; rows: readonly MonthOfModel[] }) {
  const total = (value: (row: MonthOfModel) => number) => rows.reduce((sum, row) => sum + value(row), 0);
  const cost = rows.some((row) => row.cost !== null) ? total((row) => row.cost ?? 0) : null;
  return (
    <section aria-label={name}>
      <h3 className="text-ink-muted text-sm">{name}</h3>
      <p className="numbers mt-1 flex flex-wrap items-baseline gap-x-2.5">
        <span className="font-semibold text-2xl">
          {cost === null ? t('model.tokens', { count: total(tokensOf) }) : formatCost(cost)}
        </span>
        <span className="text-ink-muted text-sm">
          {cost !== null && `${t('model.tokens', { count: total(tokensOf) })} · `}
          {t('model.turns', { count: total(({ turns }) => turns) })}
        </span>
      </p>
      <ul className="numbers mt-3 flex flex-col gap-1.5 text-sm">
        {rows.map((row) => (
          <li key={row.model} className="flex items-baseline gap-3">
            <span className="wrap-anywhere min-w-0 flex-1">{row.model}</span>
            <span className="shrink-0 text-ink-muted">
              {[t('model.tokens', { count: tokensOf(row) }), row.cost === null ? null : formatCost(row.cost)]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}

const tokensOf = ({ input, output }: MonthOfModel) => input + output;

function Today({ today: { tokens, limit, isSpent } }: { today: ModelUsage['today'] }) {
  if (isSpent)
    return (
      <Wide>
        <Banner tone="warning">{limit === null ? t('model.spent') : t('model.spentOf', { limit })}</Banner>
      </Wide>
    );
  if (limit === null) return null;
  return (
    <Wide>
      <p className="numbers mb-2 text-ink-muted text-sm">{t('model.today', { tokens, limit })}</p>
      <Progress label={t('model.todayPart')} value={Math.min(1, tokens / limit)} />
    </Wide>
  );
}

const Wide = ({ children }: { children: ReactNode }) => <div className="sm:col-span-2">{children}</div>;
