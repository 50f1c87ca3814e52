import { forbidden } from '#server/lib/errors';
import type { ContactScope } from '#server/lib/scope';
import { type Outcome, type Sentiment, sentiments } from '#shared/conversations';
import type { Insights, StatsQuery } from '#shared/insights';
import { lastDays } from './days.ts';
import type { CountedOutcome, InsightsRepository } from './repository.ts';

/** Few enough to take in at a glance. */
const NEWEST_SHOWN = 5;

/** Statistics of a user's conversations. */
export class InsightsService {
  readonly #repository: InsightsRepository;
  readonly #now: () => Date;

  constructor(repository: InsightsRepository, now: () => Date = () => new Date()) {
    this.#repository = repository;
    this.#now = now;
  }

  /**
   * Totals, calls with labels and outcomes for each of the last days of a time zone, urgent conversations, and
   * customers waiting for a colleague.
   * @param userId the user whose stats are requested
   * @throws AppError forbidden for another user's stats
   */
  async stats(scope: ContactScope, userId: string, query: StatsQuery): Promise<Insights> {
    if (scope.contactId !== userId) throw forbidden('insights.own-alone');
    const days = lastDays(query.tz, Number(query.days), this.#now());
    const bounds = [...days.map((day) => day.from), days.at(-1)?.until ?? 0];
    const { companies, ranges, urgent, handovers } = await this.#repository.usage(
      scope,
      bounds,
      NEWEST_SHOWN,
    );
    const sum = (value: (company: (typeof companies)[number]) => number) =>
      companies.reduce((total, company) => total + value(company), 0);
    const totalCalls = sum((company) => company.calls);
    const lastActivityMs = companies[0]?.lastActivityMs;
    const byRange = new Map(ranges.map((range) => [range.range, range]));
    return {
      totalCalls,
      averageDuration:
        totalCalls === 0 ? 0 : Math.round(sum((company) => company.durationMs) / totalCalls / 1000),
      lastActivity: lastActivityMs === undefined ? null : new Date(lastActivityMs).toISOString(),
      totalMessages: sum((company) => company.messages),
      companiesInteractedWith: companies.map((company) => company.name),
      sentimentBreakdown: labels((label) => sum((company) => company[label])),
      outcomeBreakdown: outcomesOf((outcome) => sum((company) => company[outcome])),
      daily: days.map(({ date }, index) => {
        const sentiment = labels((label) => byRange.get(index)?.[label] ?? 0);
        const calls = sentiments.reduce((total, label) => total + sentiment[label], 0);
        const outcome = outcomesOf((each) => byRange.get(index)?.[each] ?? 0);
        return { date, calls, sentiment, outcome };
      }),
      urgentConversations: urgent.map(({ id, title, lastActivityMs: when }) => ({
        _id: id,
        title,
        when: new Date(when).toISOString(),
      })),
      needsColleague: handovers.map(({ id, title, lastActivityMs: when, contact }) => ({
        _id: id,
        title,
        when: new Date(when).toISOString(),
        ...(contact ? { contact } : {}),
      })),
    };
  }
}

const labels = (count: (label: Sentiment) => number): Record<Sentiment, number> => ({
  positive: count('positive'),
  neutral: count('neutral'),
  negative: count('negative'),
  urgent: count('urgent'),
});

const outcomesOf = (count: (outcome: CountedOutcome) => number): Record<Outcome, number> => ({
  answered: count('answered'),
  offered: count('offered'),
  'asked-back': 0,
  declined: count('declined'),
  handover: count('handover'),
  social: count('social'),
});
