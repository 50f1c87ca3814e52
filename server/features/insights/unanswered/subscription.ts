import { type Subscription, subscription } from '#server/events/subscription';
import type { UnansweredService } from './service.ts';

/** Questions that stay unanswered are grouped with those of the same meaning. */
export const unansweredSubscription = (unanswered: Pick<UnansweredService, 'group'>): Subscription =>
  subscription({
    name: 'unanswered questions',
    types: ['unanswered.found'],
    // Some may be left from before. What fails here is grouped with the next question.
    begin: async () => void unanswered.group().catch(() => {}),
    handle: () => unanswered.group(),
  });
