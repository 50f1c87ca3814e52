import type { Citation } from '#shared/conversations';
import { tokenize } from '../words/tokens.ts';
import { type Answer, makeAnswer, sourceOf } from './answer.ts';
import { closest } from './clarify.ts';
import { type Decision, decide, evidenceOf } from './decide.ts';
import { type Findings, find, type SearchRequest } from './find.ts';
import { leaning, topicBefore } from './follow-up.ts';
import { type Question, readQuestion } from './question.ts';
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
  /** Vector of the question; null while vectors are not ready. */
  vector: Float32Array | null;
  /** Vector of the question with the one it leans on before it. */
  joinedVector: Float32Array | null;
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

interface Attempt {
  question: Question;
  findings: Findings;
  decision: Decision;
  withContext: boolean;
}

/** Answers one question from the index, or says that it cannot. */
export function answerQuestion(
  index: SearchIndex,
  audienceOf: (unit: number) => Audience,
  asked: AskedQuestion,
): FoundAnswer {
  const text = correctSpelling(index, asked.text);
  const background = readQuestion(correctSpelling(index, asked.background)).terms.map((term) => ({
    ...term,
    weight: term.weight * 0.4,
  }));
  const leans = leaning(text);
  const before = leans === 'no' ? null : topicBefore(asked.earlier);
  const alone = attempt(index, readQuestion(text), background, new Set(), asked.vector, false);
  const chosen =
    before === null
      ? alone
      : better(
          leans,
          alone,
          afterTopic(index, text, readQuestion(correctSpelling(index, before)), background, asked),
        );
  const { question, findings, decision } = chosen;
  const passages = findings.candidates.slice(0, 12).flatMap((candidate) => {
    const unit = index.units[candidate.unit];
    return unit
      ? [{ text: unit.leadIn ? `${unit.leadIn} ${unit.text}` : unit.text, source: sourceOf(unit) }]
      : [];
  });
  const trace = traceOf(index, chosen);
  if (decision.verdict === 'answer') {
    const answer = makeAnswer(index, question, findings, audienceOf);
    if (answer.sentences.length > 0)
      return { ...answer, verdict: 'answer', confidence: decision.confidence, topics: [], passages, trace };
  }
  const topics = closest(index, question, findings, decision.confidence);
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

/** A pronoun may point at nothing: then the question is taken by itself unless what was said before helps. */
function better(leans: 'surely' | 'maybe' | 'no', alone: Attempt, after: Attempt): Attempt {
  if (leans === 'surely')
    return after.decision.verdict === 'decline' && alone.decision.confidence > 0.2 ? alone : after;
  return alone.decision.confidence >= after.decision.confidence - 0.05 ? alone : after;
}

function attempt(
  index: SearchIndex,
  question: Question,
  context: SearchRequest['context'],
  sections: ReadonlySet<number>,
  vector: Float32Array | null,
  withContext: boolean,
): Attempt {
  const findings = find(index, { question, context, sections, vector });
  return { question, findings, decision: decide(question, findings), withContext };
}

/** The question as it stands after what was asked before. */
function afterTopic(
  index: SearchIndex,
  text: string,
  earlier: Question,
  background: SearchRequest['context'],
  asked: AskedQuestion,
): Attempt {
  const own = readQuestion(text);
  const hasName = own.terms.some((term) => term.isName);
  const context = [
    // "And to Mexico?" replaces Canada.
    ...earlier.terms
      .filter((term) => !(hasName && term.isName))
      .map((term) => ({ ...term, weight: term.weight * 0.7 })),
    ...background,
  ];
  // "And by credit card?" asks the same kind of thing as the question before.
  const sameKind = own.kind === 'statement' || /^(?:and |or )?(?:what|how) about\b/i.test(text.trim());
  const question: Question = {
    ...own,
    ...(own.terms.length === 0 ? { terms: earlier.terms } : {}),
    ...(sameKind
      ? {
          kind: earlier.kind,
          expects: own.expects ?? earlier.expects,
          wantsList: earlier.wantsList,
          isYesNo: earlier.isYesNo,
        }
      : {}),
  };
  return attempt(index, question, context, sectionsOf(index, asked.lastReply), asked.joinedVector, true);
}

function traceOf(index: SearchIndex, { question, findings, decision, withContext }: Attempt): string {
  const best = findings.candidates[0];
  const missing = findings.met
    .filter((m) => m.known === 0)
    .map((m) => `${m.term.word}${m.term.isFocus ? '!' : ''}`);
  const evidence = Object.entries(evidenceOf(question, findings)).map(
    ([name, value]) => `${name}=${value.toFixed(2)}`,
  );
  return `${question.kind} ${question.expects ?? ''} conf=${decision.confidence.toFixed(2)} ${evidence.join(' ')} missing=[${missing.join(' ')}]${withContext ? ' follow-up' : ''} best="${index.units[best?.unit ?? -1]?.text.slice(0, 90) ?? ''}"`;
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
