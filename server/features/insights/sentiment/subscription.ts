import { type Subscription, subscription } from '#server/events/subscription';
import type { CallsService } from '#server/features/turns/service';
import type { SentimentService } from './service.ts';

/** What a customer says is labelled, and whoever has the conversation open is told of a change. */
export function sentimentSubscription(
  sentiment: Pick<SentimentService, 'label' | 'onChange'>,
  calls: Pick<CallsService, 'tellSentiment'>,
): Subscription {
  sentiment.onChange((change) => calls.tellSentiment(change.conversationId, change.sentiment));
  return subscription({
    name: 'sentiment',
    types: ['turn.taken', 'message.stored'],
    async handle(event) {
      if (event.type === 'message.stored' && event.data.by !== 'contact') return;
      await sentiment.label(event, event.conversationId);
    },
  });
}
