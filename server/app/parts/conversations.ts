import type { AppParts } from '#server/app/app-parts';
import type { Bell } from '#server/events/bell';
import { ContactsRepository } from '#server/features/contacts/repository';
import { ContactsService } from '#server/features/contacts/service';
import { openRecordings } from '#server/features/conversations/recordings/open';
import { RecordingsRepository } from '#server/features/conversations/recordings/repository';
import { ConversationsRepository } from '#server/features/conversations/repository';
import { Retention } from '#server/features/conversations/retention';
import { ConversationsService } from '#server/features/conversations/service';
import { SentimentRepository } from '#server/features/insights/sentiment/repository';
import { SentimentService } from '#server/features/insights/sentiment/service';
import { PreferencesRepository } from '#server/features/preferences/repository';
import { PreferencesService } from '#server/features/preferences/service';
import { maskedIn } from '#server/features/turns/masking/masked-in';
import type { TextQuota } from '#server/lib/text-quota';
import type { Knowledge } from './knowledge.ts';
import type { Security } from './security.ts';

/** A call without a customer's word for so long is over. */
const UNSPOKEN_DAYS = 1 / 24;

export type Conversations = Awaited<ReturnType<typeof openConversations>>;

/** Connects the parts that store conversations: words, audio, labels, contacts, and their retention. */
export async function openConversations(
  { config, database: { db }, engines, logger }: AppParts,
  { scans, audit }: Pick<Security, 'scans' | 'audit'>,
  { agents }: Pick<Knowledge, 'agents'>,
  { bell, texts }: { bell: Bell; texts: TextQuota },
) {
  const { sharedState } = engines;
  const preferences = new PreferencesService(new PreferencesRepository(db), {
    audioStaysHere: config.audioStaysHere ?? false,
  });
  const repository = new ConversationsRepository(db, bell.ring);
  const recordingsRepository = new RecordingsRepository(db);
  const recordings = await openRecordings({
    repository: recordingsRepository,
    store: engines.mediaStore,
    encoder: engines.encoder,
    scans,
    mayKeep: async (scope) => (await preferences.of(scope.contactId)).keepRecordings,
    isMasked: maskedIn({ conversations: repository, agents }),
    onFailure: (what, error) => logger.warn({ err: error, what }, 'recording failed'),
  });
  const sentiment = new SentimentService({
    engine: engines.sentiment,
    sharedState,
    repository: new SentimentRepository(db, bell.ring),
    onFailure: (error) => logger.warn({ err: error }, 'a message could not be labelled'),
  });
  const conversations = new ConversationsService(
    repository,
    recordings,
    config.quotas?.conversationsPerDay,
    texts,
    (scope, id) => sentiment.settle(scope, id),
  );
  conversations.closeWith(sharedState);
  const retention = new Retention({
    days: config.retentionDays ?? null,
    repository,
    delete: (scope, id) => conversations.delete(scope, id),
    onFailure: (error) => logger.warn({ err: error }, 'an old conversation could not be deleted'),
  });
  // A conversation without a customer's word, left by closing the page, is deleted.
  const unspoken = new Retention({
    days: UNSPOKEN_DAYS,
    repository: { quietSince: (...asked) => repository.unspokenSince(...asked) },
    delete: (scope, id) => conversations.deleteUnspoken(scope, id),
    onFailure: (error) => logger.warn({ err: error }, 'a call without a word could not be deleted'),
  });
  return {
    preferences,
    conversations,
    recordings,
    recordingTotals: () => recordingsRepository.totals(),
    sentiment,
    contacts: new ContactsService({ repository: new ContactsRepository(db), conversations, audit }),
    async removeOld() {
      await retention.run();
      await unspoken.run();
      await recordings.sweep();
    },
    stopRemoving: () => Promise.all([retention.stop(), unspoken.stop()]),
  };
}
