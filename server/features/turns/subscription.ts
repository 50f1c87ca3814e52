import { type Subscription, subscription } from '#server/events/subscription';
import { LeftTurns } from './left-turns.ts';

/** Has turns of a lost instance answered by another one, or by the next. */
export function turnsSubscription(...options: ConstructorParameters<typeof LeftTurns>): Subscription {
  const left = new LeftTurns(...options);
  return subscription({
    name: 'turns',
    types: ['turn.taken', 'turn.answered', 'turn.failed'],
    begin: (signal) => left.begin(signal),
    async handle(event) {
      const { messageId } = event.data;
      if (event.type === 'turn.taken') left.taken({ messageId, takenAs: event.id });
      else left.done(messageId);
    },
  });
}
