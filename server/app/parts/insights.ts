import type { AppParts } from '#server/app/app-parts';
import type { Bell } from '#server/events/bell';
import { Outbox } from '#server/events/outbox';
import { EventsRepository } from '#server/events/repository';
import { subscriptions } from '#server/events/subscriptions';
import { InsightsRepository } from '#server/features/insights/repository';
import { InsightsService } from '#server/features/insights/service';
import { UnansweredRepository } from '#server/features/insights/unanswered/repository';
import { UnansweredService } from '#server/features/insights/unanswered/service';
import type { Calls } from './calls.ts';
import type { Conversations } from './conversations.ts';
import type { Knowledge } from './knowledge.ts';

export type Insights = ReturnType<typeof openInsights>;

/** Connects the parts that evaluate conversations, and the subscribers of events. */
export function openInsights(
  { database, engines, logger }: AppParts,
  { agents, documents }: Pick<Knowledge, 'agents' | 'documents'>,
  { sentiment, recordings, conversations }: Conversations,
  { calls }: Pick<Calls, 'calls'>,
  bell: Bell,
) {
  const { db } = database;
  const unanswered = new UnansweredService({
    repository: new UnansweredRepository(db),
    agents,
    calls,
    reading: engines.reading,
  });
  return {
    insights: new InsightsService(new InsightsRepository(db)),
    unanswered,
    outbox: new Outbox({
      repository: new EventsRepository(db),
      bell,
      alone: database.alone,
      subscriptions: subscriptions({
        ...{ sentiment, unanswered, recordings, documents, calls, conversations },
        onFailure: (error) => logger.warn({ err: error }, 'a turn that was left could not be answered'),
      }),
      onFailure: (about, error) => logger.warn({ err: error, ...about }, 'an event could not be told'),
    }),
  };
}
