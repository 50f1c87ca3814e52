import { forbidden } from '#server/errors';
import type { Stats } from '#shared/conversations';
import type { InsightsRepository } from './repository.ts';

/** What a user's conversations add up to. */
export class InsightsService {
  readonly #repository: InsightsRepository;

  constructor(repository: InsightsRepository) {
    this.#repository = repository;
  }

  /** @throws AppError forbidden when somebody asks for another user's stats */
  async stats(askingUserId: string, userId: string): Promise<Stats> {
    if (askingUserId !== userId) throw forbidden('You may only see your own statistics.');
    const totals = await this.#repository.totals(userId);
    return {
      totalCalls: totals.conversations,
      averageDuration: Math.round(totals.averageDurationMs / 1000),
      lastActivity: totals.lastActivity?.toISOString() ?? null,
      totalMessages: totals.messages,
      companiesInteractedWith: totals.companies,
      sentimentBreakdown: totals.bySentiment,
    };
  }
}
