import { likenessOf } from '../likeness.ts';
import { saidIn } from '../said.ts';
import type { Draft, Turn } from './draft.ts';
import { handoverReply } from './handover.ts';

/** Cosine from which it is about what an instruction names: docs/dialogue.md says how it was found. */
const ABOUT = 0.68;
/** Characters that are compared. */
const MAX_COMPARED = 600;

/** What the business told its agent to say, or to pass on, when it is about this; null where it told nothing of it. */
export async function instructedReply(around: Turn): Promise<Draft | null> {
  const { message, language, instructions } = around;
  const { says, handsOver } = instructions;
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

/** The condition that what was said is about: the likest one, or one all of whose words were said; null where none is. */
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
