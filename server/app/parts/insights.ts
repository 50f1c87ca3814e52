import type { AppParts } from '#server/app/app-parts';
import type { Bell } from '#server/events/bell';
import { Outbox } from '#server/events/outbox';
import { EventsRepository } from '#server/events/repository';
import { recordingsSubscription } from '#server/features/conversations/recordings/subscription';
import { documentsSubscription } from '#server/features/documents/subscription';
import { InsightsRepository } from '#server/features/insights/repository';
import { sentimentSubscription } from '#server/features/insights/sentiment/subscription';
import { InsightsService } from '#server/features/insights/service';
import { UnansweredRepository } from '#server/features/insights/unanswered/repository';
import { UnansweredService } from '#server/features/insights/unanswered/service';
import { unansweredSubscription } from '#server/features/insights/unanswered/subscription';
import { turnsSubscription } from '#server/features/turns/subscription';
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
      // Everything that hangs on events, each beside its feature.
      subscriptions: [
        turnsSubscription({
          conversations,
          calls,
          onFailure: (error) => logger.warn({ err: error }, 'a turn that was left could not be answered'),
        }),
        sentimentSubscription(sentiment, calls),
        unansweredSubscription(unanswered),
        recordingsSubscription(recordings),
        documentsSubscription(documents),
      ],
      onFailure: (about, error) => logger.warn({ err: error, ...about }, 'an event could not be told'),
    }),
  };
}
