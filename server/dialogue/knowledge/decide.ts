import { wordVectors } from '../words/word-vectors.ts';
import type { Findings, Met } from './find.ts';
import type { Question } from './question.ts';

export type Verdict = 'answer' | 'decline';

export interface Decision {
  verdict: Verdict;
  /** Positive: answer; the distance from zero says how sure. */
  confidence: number;
}

/** What the decision rests on, each about 0 to 1. */
export interface Evidence {
  /** Share of the question that the best sentence meets. */
  coverage: number;
  /** Likeness in meaning; 0.45, which says nothing, while there are no vectors. */
  likeness: number;
  /** Lack of the kind of answer that was asked for. */
  unfit: number;
  /** Weight of names, of heart words and of other words that the knowledge never mentions. */
  missingNames: number;
  missingFocus: number;
  missingOther: number;
  /** Heart words that the knowledge has, but not where the best sentence stands. */
  focusElsewhere: number;
  /** Share of the question that the best sentence has in other words only. */
  loose: number;
  /** The thing asked for is there in other words only, in a question whether there is such a thing. */
  looseHead: number;
  /** Likeness of the question and what stands around the best sentence. */
  around: number;
  /** How much of a written question it shares. */
  asked: number;
  /** The best sentence begins with what was asked about. */
  subject: number;
  /** No sentence is nearer in meaning. */
  nearest: number;
}

/** From here on a word of like meaning is taken for the word. */
const SURE = 0.55;

export function evidenceOf(question: Question, findings: Findings): Evidence {
  const all = findings.met.reduce((sum, m) => sum + m.weight, 0) || 1;
  const share = (list: readonly Met[]) => list.reduce((sum, m) => sum + m.weight * m.strength, 0) / all;
  const best = findings.candidates[0];
  const missing = findings.met.filter((m) => m.known < SURE);
  // A word that only a loosely like one stands for is partly missing.
  const weigh = (list: readonly Met[]) =>
    list.reduce(
      (sum, m) =>
        sum + m.term.weight * (m.term.isVerb ? 0.4 : 1) * specificity(m.term.word) * (1 - m.known / SURE),
      0,
    );
  return {
    coverage: best?.coverage ?? 0,
    likeness: best?.likeness ?? 0.45,
    unfit: best && !best.fits ? 1 : 0,
    missingNames: Math.min(1, missing.filter((m) => m.term.isName && m.known === 0).length),
    missingFocus: Math.min(1.5, weigh(missing.filter((m) => m.term.isFocus && !m.term.isName))),
    missingOther: Math.min(2, weigh(missing.filter((m) => !m.term.isFocus && !m.term.isName))),
    focusElsewhere: Math.min(
      1,
      findings.met
        .filter((m) => m.term.isFocus && m.known > 0)
        .reduce(
          (sum, m) =>
            sum + (m.term.isHead ? 1.6 : m.term.isVerb ? 0.4 : 0.7) * m.term.weight * (1 - m.strength),
          0,
        ),
    ),
    loose: share(findings.met.filter((m) => !m.exact)),
    looseHead: question.isYesNo && findings.met.some((m) => m.term.isHead && !m.exact) ? 1 : 0,
    around: best?.likeness == null ? 0.4 : best.clues.around,
    asked: best?.clues.asked ?? 0,
    subject: best?.clues.subject ?? 0,
    nearest:
      best?.likeness == null || findings.candidates.every((c) => (c.likeness ?? 0) <= (best.likeness ?? 0))
        ? 1
        : 0,
  };
}

/** Rare words say more: 0.3 for one of the few hundred most frequent, 1 from about the 8,000th on and for unknown ones. */
function specificity(word: string): number {
  const rank = wordVectors().rank(word);
  if (rank === null) return 1;
  return Math.min(1, Math.max(0.3, (Math.log(1 + rank) - 5) / 4));
}

/** Found by tests/bench/fit-ranking.ts (logistic regression, pull 0.01), made smaller so that coverage has the weight it was first given. */
const weights: Evidence = {
  coverage: 1.6,
  likeness: 0.35,
  unfit: -0.03,
  missingNames: -1.02,
  missingFocus: -0.61,
  missingOther: -0.37,
  focusElsewhere: -0.51,
  loose: -0.07,
  looseHead: -0.36,
  around: 0.51,
  asked: 0.1,
  subject: 0.39,
  nearest: 0.3,
};
const evidenceNames = Object.keys(weights) as readonly (keyof Evidence)[];
/** The constant of the regression, lowered so that nine in ten of the questions without an answer are declined in documents left out. */
const BAR = -1.33;

/**
 * Whether the evidence answers the question. What speaks for it: how much of the question's weight the best sentence meets,
 * likeness in meaning, the right kind of answer; what speaks against it: names and topic words the knowledge never mentions.
 */
export function decide(question: Question, findings: Findings): Decision {
  if (findings.candidates.length === 0 || question.terms.length === 0)
    return { verdict: 'decline', confidence: -1 };
  const e = evidenceOf(question, findings);
  const confidence = evidenceNames.reduce((sum, name) => sum + weights[name] * e[name], BAR);
  return { verdict: confidence > 0 ? 'answer' : 'decline', confidence };
}
