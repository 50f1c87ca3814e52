import type { TurnJudgementEngine } from '#server/engines/turn-judgement/contract';
import type { TurnTaking, TurnTakingOptions } from './contract.ts';
import { HandsFree } from './hands-free.ts';
import { PushToTalk } from './push-to-talk.ts';

/**
 * Starts listening to one customer, on a page or in a room alike. Throws nothing; failures reach the
 * listener.
 */
export function listen(options: TurnTakingOptions, judgement: TurnJudgementEngine): TurnTaking {
  return options.mode === 'hands-free' ? new HandsFree(options, judgement) : new PushToTalk(options);
}
