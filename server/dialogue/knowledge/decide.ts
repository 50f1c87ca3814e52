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
  /** How near the words come, by word vectors. */
  soft: number;
  /** Of the best sentence's own words. */
  own: number;
  around: number;
  asked: number;
  subject: number;
  condition: number;
  score: number;
  best: number;
  few: number;
}

/** From here on a word of like meaning is taken for the word. */
const SURE = 0.55;

export function evidenceOf(findings: Findings): Evidence {
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
    soft: best?.clues.soft ?? 0,
    own: best?.clues.own ?? 0,
    around: best?.clues.around ?? 0,
    asked: best?.clues.asked ?? 0,
    subject: best?.clues.subject ?? 0,
    condition: best?.clues.condition ?? 0,
    score: best?.score ?? 0,
    best: best && best.likeness === Math.max(...findings.candidates.map((c) => c.likeness ?? 0)) ? 1 : 0,
    few: 1 / Math.max(1, findings.met.length),
  };
}

/** Rare words say more: 0.3 for one of the few hundred most frequent, 1 from about the 8,000th on and for unknown ones. */
function specificity(word: string): number {
  const rank = wordVectors().rank(word);
  if (rank === null) return 1;
  return Math.min(1, Math.max(0.3, (Math.log(1 + rank) - 5) / 4));
}

/**
 * Whether the evidence answers the question. What speaks for it: how much of the question's weight the best sentence meets,
 * likeness in meaning, the right kind of answer; what speaks against it: names and topic words the knowledge never mentions.
 */
export function decide(question: Question, findings: Findings): Decision {
  if (findings.candidates.length === 0 || question.terms.length === 0)
    return { verdict: 'decline', confidence: -1 };
  const e = evidenceOf(findings);
  const confidence =
    1.6 * (e.coverage - 0.43) +
    0.9 * (e.likeness - 0.45) -
    0.1 * e.unfit -
    1.2 * e.missingNames -
    0.85 * e.missingFocus -
    0.3 * e.missingOther -
    0.5 * e.focusElsewhere;
  return { verdict: confidence > 0 ? 'answer' : 'decline', confidence };
}
