import { type Subscription, subscription } from '#server/events/subscription';
import type { RecordingsService } from './service.ts';

/** The recordings of a conversation that was deleted go with it. */
export const recordingsSubscription = (recordings: Pick<RecordingsService, 'forget'>): Subscription =>
  subscription({
    name: 'recordings',
    types: ['conversation.deleted'],
    handle: ({ conversationId }) => recordings.forget(conversationId),
  });
