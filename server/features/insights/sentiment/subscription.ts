import { type Subscription, subscription } from '#server/events/subscription';
import type { CallsService } from '#server/features/turns/service';
import type { SentimentService } from './service.ts';

/** Labels customers' messages, and sends label changes to clients with the conversation open. */
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
