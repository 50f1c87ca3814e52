import { recordingsSubscription } from '#server/features/conversations/recordings/subscription';
import { documentsSubscription } from '#server/features/documents/subscription';
import { sentimentSubscription } from '#server/features/insights/sentiment/subscription';
import { unansweredSubscription } from '#server/features/insights/unanswered/subscription';
import { turnsSubscription } from '#server/features/turns/subscription';
import type { Subscription } from './subscription.ts';

type First<F extends (...args: never[]) => unknown> = Parameters<F>[0];

type TurnsOptions = First<typeof turnsSubscription>;

interface Subscribers {
  sentiment: First<typeof sentimentSubscription>;
  unanswered: First<typeof unansweredSubscription>;
  recordings: First<typeof recordingsSubscription>;
  documents: First<typeof documentsSubscription>;
  calls: Parameters<typeof sentimentSubscription>[1] & TurnsOptions['calls'];
  conversations: TurnsOptions['conversations'];
  /** Called for turns that could not be taken up. */
  onFailure: TurnsOptions['onFailure'];
}

/** All subscriptions, each defined in its feature. */
export const subscriptions = ({
  sentiment,
  unanswered,
  recordings,
  documents,
  calls,
  conversations,
  onFailure,
}: Subscribers): Subscription[] => [
  turnsSubscription({ conversations, calls, onFailure }),
  sentimentSubscription(sentiment, calls),
  unansweredSubscription(unanswered),
  recordingsSubscription(recordings),
  documentsSubscription(documents),
];
