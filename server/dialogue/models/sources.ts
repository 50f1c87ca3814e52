import type { Figure } from '#server/languages/claims';

/** What a reply may rest on. */
export interface Sources {
  /** What the business wrote, and what its systems answered: statements, each with the headings it stands under. */
  told: readonly string[];
  /** The passages that the model was given, in the order of their numbers from 1. */
  passages: readonly string[];
  /** All that the business wrote of itself. */
  everything(): string;
  /** What the customer said in this conversation. */
  customer: readonly string[];
  /** Names that stand for themselves: the agent's, the company's. */
  names: readonly string[];
  /** What was asked in this turn. */
  question: string;
  today: Date;
  /** Something was done in this turn, of which the model may tell. */
  hasActed: boolean;
  /** The customer writes in the language of the pack. */
  isOwnLanguage: boolean;
  /** What was found is likely to answer it. */
  isKnown: boolean;
}

/** Whether two figures are the same, where one of them may have no unit. */
export const meets = (claimed: Figure, known: Figure): boolean => {
  const [a, b] = [inDays(claimed), inDays(known)];
  return a.value === b.value && (a.unit === b.unit || a.unit === null || b.unit === null);
};

/** Two weeks are fourteen days, 48 hours two. */
function inDays(figure: Figure): Figure {
  const value = Number(figure.value);
  if (figure.unit === 'week') return { value: String(value * 7), unit: 'day' };
  if (figure.unit === 'hour' && value >= 48 && value % 24 === 0)
    return { value: String(value / 24), unit: 'day' };
  return figure;
}
