import type { Danger } from '#server/languages/messages';
import { find } from '../knowledge/find.ts';
import type { Draft, Turn } from './draft.ts';
import { emergencyNumbersOf } from './emergency-numbers.ts';

/**
 * Cosine above which the business's advice fits the emergency: cries for help are no questions that the cross-encoder
 * knows. For an injury the threshold is higher, since advice for another one harms.
 */
const BEARS = { danger: 0.45, injury: 0.6 };
/** Passages searched for advice. */
const LOOKED_AT = 4;

/**
 * A human word and the number to call first, then the business's own safety advice if it has any; a person follows up.
 * A person who wants to die, or is threatened or threatens, hears nothing of the business.
 */
export async function emergencyReply(around: Turn, danger: Danger): Promise<Draft> {
  const { turn, language, voice } = around;
  const { say, splitSentences } = language;
  const advice = danger === 'danger' || danger === 'injury' ? await adviceOn(around, BEARS[danger]) : null;
  return {
    sentences: [
      ...splitSentences(say.concerned(voice, danger)),
      ...splitSentences(say.emergency(voice, danger, emergencyNumbersOf(turn.agent))),
      ...(advice?.sentences ?? []),
      ...splitSentences(say.emergencyHandover(voice)),
    ],
    outcome: 'handover',
    // A person in danger has more to say than yes.
    expects: 'anything',
    citations: advice?.citations ?? [],
    state: { question: turn.text.slice(0, 300), pending: { is: 'colleague' } },
  };
}

/** The business's own advice, if it fits the emergency. */
async function adviceOn({ knowing, turn, language, signal }: Turn, bears: number) {
  const { emergencies } = language;
  const text = emergencies.question(turn.text.slice(0, 300));
  const found = await find(knowing, turn.agent, { text, context: null }, signal);
  const [advice] = found.ranked.slice(0, LOOKED_AT).flatMap(({ candidate }, place) => {
    const saying = place === 0 ? found.saying : found.sayingOf(place);
    const sentences = saying?.sentences.filter((sentence) => emergencies.tellsWhatToDo(sentence)) ?? [];
    const isNear = candidate.likeness >= bears;
    return saying && isNear && sentences.length > 0 ? [{ sentences, citations: saying.citations }] : [];
  });
  return advice ?? null;
}
