import { forbidden } from '#server/errors';
import { type Sentiment, sentiments } from '#shared/conversations';
import type { Insights, StatsQuery } from '#shared/insights';
import { lastDays } from './days.ts';
import type { InsightsRepository } from './repository.ts';

/** As many as a glance takes in. */
const URGENT_SHOWN = 5;

/** What a user's conversations add up to. */
export class InsightsService {
  readonly #repository: InsightsRepository;
  readonly #now: () => Date;

  constructor(repository: InsightsRepository, now: () => Date = () => new Date()) {
    this.#repository = repository;
    this.#now = now;
  }

  /**
   * Totals over everything, calls and their labels for each of the last days of a time zone, and what is urgent.
   * @throws AppError forbidden when somebody asks for another user's stats
   */
  async stats(askingUserId: string, userId: string, query: StatsQuery): Promise<Insights> {
    if (askingUserId !== userId) throw forbidden('You may only see your own statistics.');
    const days = lastDays(query.tz, Number(query.days), this.#now());
    const bounds = [...days.map((day) => day.from), days.at(-1)?.until ?? 0];
    const { companies, ranges, urgent } = await this.#repository.usage(userId, bounds, URGENT_SHOWN);
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
      daily: days.map(({ date }, index) => {
        const sentiment = labels((label) => byRange.get(index)?.[label] ?? 0);
        return { date, calls: sentiments.reduce((total, label) => total + sentiment[label], 0), sentiment };
      }),
      urgentConversations: urgent.map(({ id, title, lastActivityMs: when }) => ({
        _id: id,
        title,
        when: new Date(when).toISOString(),
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
