import { type Subscription, subscription } from '#server/events/subscription';
import type { UnansweredService } from './service.ts';

/** Groups unanswered questions by meaning. */
export const unansweredSubscription = (unanswered: Pick<UnansweredService, 'group'>): Subscription =>
  subscription({
    name: 'unanswered questions',
    types: ['unanswered.found'],
    // Some may remain from before. After a failure they are grouped with the next question.
    begin: async () => void unanswered.group().catch(() => {}),
    handle: () => unanswered.group(),
  });
