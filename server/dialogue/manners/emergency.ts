import type { Danger } from '#server/languages/messages';
import { find } from '../knowledge/find.ts';
import type { Draft, Turn } from './draft.ts';
import { emergencyNumbersOf } from './emergency-numbers.ts';

/** Cosine from which the business's own words are near enough to what has happened: what people cry out is no
 * question that the cross-encoder knows. For an injury they must be nearer: advice on another one harms. */
const BEARS = { danger: 0.45, injury: 0.6 };
/** Passages that are looked through for advice. */
const LOOKED_AT = 4;

/**
 * A human word and the number to call first, then the business's own words of safety if it has any; a person follows up. Nothing
 * of the business is said to somebody who wants to die, or is threatened or threatens.
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
    // Whoever is in danger has more to say than yes.
    expects: 'anything',
    citations: advice?.citations ?? [],
    state: { question: turn.text.slice(0, 300), pending: { is: 'colleague' } },
  };
}

/** What the business itself says is to be done, where that is near enough to what has happened. */
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
