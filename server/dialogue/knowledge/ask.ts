import type { Citation } from '#shared/conversations';
import { tokenize } from '../words/tokens.ts';
import { type Answer, makeAnswer, sourceOf } from './answer.ts';
import { closest } from './clarify.ts';
import { decide } from './decide.ts';
import { find } from './find.ts';
import { leansOnBefore, topicBefore } from './follow-up.ts';
import { readQuestion } from './question.ts';
import type { SearchIndex } from './search-index.ts';
import type { Audience } from './speech.ts';
import { correctSpelling } from './spell.ts';

export interface AskedQuestion {
  text: string;
  /** What was said around it in the same message: tells the topic, asks nothing. */
  background: string;
  /** The customer's earlier messages, oldest first. */
  earlier: readonly string[];
  /** What the agent said last. */
  lastReply: string;
  /** Vector of the question, with the one it leans on before it; null while vectors are not ready. */
  vector: Float32Array | null;
}

export interface FoundAnswer extends Answer {
  verdict: 'answer' | 'clarify' | 'decline';
  confidence: number;
  /** The two nearest topics, when it is near but not clear which is meant. */
  topics: string[];
  /** The nearest passages, whatever the verdict: what a language model may answer from. */
  passages: Citation[];
  /** For the evaluation's print-out. */
  trace: string;
}

/** Answers one question from the index, or says that it cannot. */
export function answerQuestion(index: SearchIndex, audience: Audience, asked: AskedQuestion): FoundAnswer {
  const text = correctSpelling(index, asked.text);
  const question = readQuestion(text);
  const leaning = leansOnBefore(text);
  const before = leaning ? topicBefore(asked.earlier) : null;
  const earlier = before === null ? null : readQuestion(correctSpelling(index, before));
  const context = [
    ...(earlier?.terms ?? []).map((term) => ({ ...term, weight: term.weight * 0.7 })),
    ...readQuestion(correctSpelling(index, asked.background)).terms.map((term) => ({
      ...term,
      weight: term.weight * 0.4,
    })),
  ];
  const own = question.terms.length > 0 || !earlier ? question : { ...question, terms: earlier.terms };
  // "And by credit card?" asks the same kind of thing as the question before.
  const full =
    earlier && (own.kind === 'statement' || /^(?:and |or )?(?:what|how) about\b/i.test(text.trim()))
      ? {
          ...own,
          kind: earlier.kind,
          expects: own.expects ?? earlier.expects,
          wantsList: earlier.wantsList,
          isYesNo: earlier.isYesNo,
        }
      : own;
  const findings = find(index, {
    question: full,
    context,
    sections: leaning ? sectionsOf(index, asked.lastReply) : new Set(),
    vector: asked.vector,
  });
  const decision = decide(full, findings);
  const answer = makeAnswer(index, full, findings, audience);
  const best = findings.candidates[0];
  const trace = `${full.kind} ${full.expects ?? ''} conf=${decision.confidence.toFixed(2)} cov=${best?.coverage.toFixed(2) ?? '-'} like=${best?.likeness?.toFixed(2) ?? '-'} unknown=${findings.unknown.toFixed(2)} missing=[${[...findings.missingNames, ...findings.missingTopics].join(' ')}]${leaning ? ' follow-up' : ''} best="${index.units[best?.unit ?? -1]?.text.slice(0, 90) ?? ''}"`;
  const passages = findings.candidates.slice(0, 12).flatMap((candidate) => {
    const unit = index.units[candidate.unit];
    return unit
      ? [{ text: unit.leadIn ? `${unit.leadIn} ${unit.text}` : unit.text, source: sourceOf(unit) }]
      : [];
  });
  if (decision.verdict === 'answer' && answer.sentences.length > 0)
    return { ...answer, verdict: 'answer', confidence: decision.confidence, topics: [], passages, trace };
  const topics = closest(index, full, findings, decision.confidence);
  return {
    sentences: [],
    citations: [],
    polarity: null,
    verdict: topics.length > 0 ? 'clarify' : 'decline',
    confidence: decision.confidence,
    topics,
    passages,
    trace,
  };
}

/** Sections whose sentences the last reply quotes. */
function sectionsOf(index: SearchIndex, reply: string): Set<number> {
  const said = new Set(
    tokenize(reply)
      .filter((t) => !t.isStop)
      .map((t) => t.stem),
  );
  const sections = new Set<number>();
  if (said.size === 0) return sections;
  for (const unit of index.units) {
    const stems = index.stems[unit.id] ?? [];
    if (stems.length < 3) continue;
    if (stems.filter((stem) => said.has(stem)).length / stems.length > 0.8) {
      const section = index.blocks[unit.block]?.section;
      if (section !== undefined) sections.add(section);
    }
  }
  return sections;
}
