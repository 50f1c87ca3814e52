import type { ShownOutcome } from '#web/ui/conversation/outcome-badge';

/** What questions come to, the best first. */
export const countedOutcomes = [
  'answered',
  'offered',
  'declined',
  'handover',
] as const satisfies ShownOutcome[];
export type CountedOutcome = (typeof countedOutcomes)[number];

interface OutcomeShare {
  /** Conversations by what came of them. Small talk and what nobody heard of counts nowhere. */
  counts: Record<CountedOutcome, number>;
  total: number;
  /** Share of conversations whose questions were all answered, in whole percent. */
  percent: number;
}

export function outcomeShare(breakdown: Readonly<Record<string, number>>): OutcomeShare {
  const counts: Record<CountedOutcome, number> = { answered: 0, offered: 0, declined: 0, handover: 0 };
  for (const outcome of countedOutcomes) counts[outcome] = Math.max(0, breakdown[outcome] ?? 0);
  const total = countedOutcomes.reduce((sum, each) => sum + counts[each], 0);
  return { counts, total, percent: total === 0 ? 0 : Math.round((counts.answered / total) * 100) };
}
