import { recordingsSubscription } from '#server/features/conversations/recordings/subscription';
import { documentsSubscription } from '#server/features/documents/subscription';
import { sentimentSubscription } from '#server/features/insights/sentiment/subscription';
import { unansweredSubscription } from '#server/features/insights/unanswered/subscription';
import type { Subscription } from './subscription.ts';

type First<F extends (...args: never[]) => unknown> = Parameters<F>[0];

interface Subscribers {
  sentiment: First<typeof sentimentSubscription>;
  unanswered: First<typeof unansweredSubscription>;
  recordings: First<typeof recordingsSubscription>;
  documents: First<typeof documentsSubscription>;
  calls: Parameters<typeof sentimentSubscription>[1];
}

/** Everything that hangs on what happened, each beside its feature. */
export const subscriptions = ({
  sentiment,
  unanswered,
  recordings,
  documents,
  calls,
}: Subscribers): Subscription[] => [
  sentimentSubscription(sentiment, calls),
  unansweredSubscription(unanswered),
  recordingsSubscription(recordings),
  documentsSubscription(documents),
];
