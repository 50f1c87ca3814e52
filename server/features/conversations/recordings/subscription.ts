import { type Subscription, subscription } from '#server/events/subscription';
import type { RecordingsService } from './service.ts';

/** Deletes the recordings of a deleted conversation. */
export const recordingsSubscription = (recordings: Pick<RecordingsService, 'forget'>): Subscription =>
  subscription({
    name: 'recordings',
    types: ['conversation.deleted'],
    handle: ({ conversationId }) => recordings.forget(conversationId),
  });
