import type { TurnTaking, TurnTakingOptions } from './contract.ts';
import { HandsFree } from './hands-free.ts';
import { PushToTalk } from './push-to-talk.ts';

/** Begins to listen to one customer: on a page or in a room alike. Throws nothing; failures reach the listener. */
export function listen(options: TurnTakingOptions): TurnTaking {
  return options.mode === 'hands-free' ? new HandsFree(options) : new PushToTalk(options);
}
