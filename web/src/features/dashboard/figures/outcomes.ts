import type { ShownOutcome } from '#web/ui/conversation/outcome-badge';

/** Outcomes of questions, best first. */
export const countedOutcomes = [
  'answered',
  'offered',
  'declined',
  'handover',
] as const satisfies ShownOutcome[];
export type CountedOutcome = (typeof countedOutcomes)[number];

interface OutcomeShare {
  /** Conversations by outcome. Small talk and unknown outcomes count nowhere. */
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
