import type { TurnJudgementEngine } from './contract.ts';
import { createRules } from './rules.ts';

/** Who judges turns on this server: the embedded rules. */
export const createTurnJudgement = (): TurnJudgementEngine => createRules();
