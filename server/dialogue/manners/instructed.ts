import { dot } from '../cosine.ts';
import { sayAll } from '../knowledge/choose.ts';
import { mayAnswer } from '../knowledge/find.ts';
import { likenessOf } from '../likeness.ts';
import { saidIn } from '../said.ts';
import type { Draft, Turn } from './draft.ts';
import { handoverReply } from './handover.ts';
import { MAX_CONTEXT } from './telling.ts';
import { topicOf } from './topics.ts';

/** Cosine above which a message matches an instruction: docs/dialogue.md says how it was found. */
const ABOUT = 0.68;
/** Cosine with the topic of a fixed answer above which that is surely asked for: docs/dialogue.md. */
const SURELY_ABOUT = 0.8;
/** Passages searched for a fixed answer. */
const LIKEST = 12;
/** Characters that are compared. */
const MAX_COMPARED = 600;

/** The reply of a matching instruction to say or pass on words; null without one. */
export async function instructedReply(around: Turn): Promise<Draft | null> {
  const { message, language, instructions } = around;
  const { says, handsOver } = instructions;
  const answer = await fixedAnswer(around);
  if (answer) return answer;
  const conditions = [...handsOver, ...says.map(({ when }) => when)];
  if (conditions.length === 0 || message.needs.length === 0) return null;
  const said = saidIn(message).slice(0, MAX_COMPARED);
  const at = await conditionOf(around, said, conditions);
  if (at === null) return null;
  const fixed = says[at - handsOver.length];
  return fixed
    ? { sentences: language.splitSentences(fixed.text), outcome: 'answered', topic: fixed.when }
    : handoverReply({ ...around, message: { ...message, acts: [...message.acts, 'handover'] } });
}

/**
 * The fixed answer to exactly this question: surely similar in meaning to it, or to its topic. A less sure one is found
 * among the passages like everything else. Two questions are looked up one by one.
 */
async function fixedAnswer({
  message,
  language,
  instructions,
  knowing,
  turn,
  signal,
}: Turn): Promise<Draft | null> {
  const { library, reading, readingEnds } = knowing;
  if (instructions.answers.length === 0 || message.needs.length !== 1) return null;
  if (reading?.status().state !== 'ready') return null;
  const text = saidIn(message).slice(0, MAX_COMPARED);
  const wait = readingEnds === null ? signal : AbortSignal.any([signal, readingEnds]);
  try {
    const [asked = null] = await reading.embed([text], { as: 'question', signal: wait });
    const [result] = await library.search(turn.agent, [{ text, vector: asked, under: null }], LIKEST, signal);
    const likest = result?.candidates.find(({ passage }) => passage.isFixed);
    if (!asked || !likest) return null;
    const [about] = await reading.embed([likest.passage.lead ?? ''], { signal: wait });
    if (!mayAnswer(likest) && dot(about, asked) < SURELY_ABOUT) return null;
    const { sentences, citations } = sayAll(likest.passage, language.documents);
    const question = text.slice(-MAX_CONTEXT);
    return {
      sentences,
      citations,
      outcome: 'answered',
      topic: topicOf(likest.passage, language),
      state: { question, own: question, unanswered: 0 },
    };
  } catch {
    // Without reading, it is not sure.
    signal.throwIfAborted();
    return null;
  }
}

/** The condition that the message meets: the most similar one, or one whose words were all said; null without one. */
export async function conditionOf(
  around: Pick<Turn, 'language' | 'signal'> & { knowing: Pick<Turn['knowing'], 'reading'> },
  said: string,
  conditions: readonly string[],
): Promise<number | null> {
  const { termsOf } = around.language.words;
  const words = new Set(termsOf(said));
  const likeness = await likenessOf(
    around,
    said,
    conditions.map((condition) => [condition]),
  );
  const isAbout = conditions.map((condition, at) => {
    const terms = termsOf(condition);
    return (likeness[at] ?? 0) >= ABOUT || (terms.length > 0 && terms.every((term) => words.has(term)));
  });
  const among = likeness.filter((_, at) => isAbout[at]);
  return among.length === 0
    ? null
    : likeness.findIndex((near, at) => isAbout[at] && near === Math.max(...among));
}
