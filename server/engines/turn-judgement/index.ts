import type { Logger } from 'pino';
import type { TurnJudgementEngine } from './contract.ts';
import { createRules } from './rules.ts';
import { toldVerdicts } from './told-verdicts.ts';

/** The turn judgement: the embedded rules. With a logger every verdict is logged at level `debug`. */
export function createTurnJudgement({
  logger,
}: {
  logger?: Pick<Logger, 'debug'>;
} = {}): TurnJudgementEngine {
  const rules = createRules();
  return logger ? toldVerdicts(rules, (verdict) => logger.debug(verdict, 'A turn was judged')) : rules;
}
