import type { Figure } from '#server/languages/claims';

/** The evidence of a reply. */
export interface Sources {
  /** The business's texts and its systems' answers: statements, each with its headings. */
  told: readonly string[];
  /** The model's passages, in the order of their numbers from 1. */
  passages: readonly string[];
  /** All texts of the business. */
  everything(): string;
  /** The customer's words in this conversation. */
  customer: readonly string[];
  /** Names that need no evidence: the agent's, the company's. */
  names: readonly string[];
  /** The question of this turn. */
  question: string;
  today: Date;
  /** An action was done in this turn, which the model may report. */
  hasActed: boolean;
  /** The customer writes in the language of the pack. */
  isOwnLanguage: boolean;
  /** The search result probably answers it. */
  isKnown: boolean;
}

/** Whether two figures are equal, where one of them may have no unit. */
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
