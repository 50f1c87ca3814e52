import type { Findings } from './find.ts';
import type { Question } from './question.ts';

export type Verdict = 'answer' | 'decline';

export interface Decision {
  verdict: Verdict;
  /** Positive: answer; the distance from zero says how sure. */
  confidence: number;
}

/**
 * Whether the evidence answers the question. What speaks for it: how much of the question's weight the best sentence meets,
 * likeness in meaning, the right kind of answer; what speaks against it: names and topic words the knowledge never mentions.
 */
export function decide(question: Question, findings: Findings): Decision {
  const best = findings.candidates[0];
  if (!best) return { verdict: 'decline', confidence: -1 };
  const likeness = best.likeness ?? 0.45;
  const own = findings.met.filter((term) => !term.stem.startsWith('#'));
  const heaviest = Math.max(0, ...own.map((t) => t.weight));
  const unmetHeavy = own.filter((t) => t.strength < 0.3 && t.weight >= heaviest * 0.8).length;
  const confidence =
    1.6 * (best.coverage - 0.5) +
    0.9 * (likeness - 0.45) -
    0.9 * findings.unknown -
    1.2 * Math.min(1, findings.missingNames.length) -
    0.25 * Math.min(2, findings.missingTopics.length) -
    0.12 * unmetHeavy -
    (best.fits ? 0 : 0.25) +
    (question.terms.length === 0 ? -1 : 0);
  return { verdict: confidence > 0 ? 'answer' : 'decline', confidence };
}
