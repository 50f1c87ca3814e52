import { find } from '../knowledge/find.ts';
import type { Draft, Turn } from './draft.ts';

/** Cosine from which the business's own words are near enough to what has happened: what people cry out is no
 * question that the cross-encoder knows. For an injury they must be nearer: advice on another one harms. */
const BEARS = { danger: 0.45, injury: 0.6 };
/** Passages that are looked through for advice. */
const LOOKED_AT = 4;

/** A human word and safety first: the business's own words if it has any, and the emergency services; a person follows up. */
export async function emergencyReply(
  { knowing, turn, language, voice, signal }: Turn,
  danger: 'danger' | 'injury',
): Promise<Draft> {
  const { emergencies, say, splitSentences } = language;
  const found = await find(
    knowing,
    turn.agent,
    { text: emergencies.question(turn.text.slice(0, 300)), context: null },
    signal,
  );
  const [advice] = found.ranked.slice(0, LOOKED_AT).flatMap(({ candidate }, place) => {
    const saying = place === 0 ? found.saying : found.sayingOf(place);
    const sentences = saying?.sentences.filter((sentence) => emergencies.tellsWhatToDo(sentence)) ?? [];
    const bears = candidate.likeness >= BEARS[danger];
    return saying && bears && sentences.length > 0 ? [{ sentences, citations: saying.citations }] : [];
  });
  return {
    sentences: [
      say.concerned(voice, danger),
      ...(advice?.sentences ?? []),
      ...(advice?.sentences.some((sentence) => emergencies.sendsForHelp(sentence))
        ? []
        : splitSentences(say.emergency(voice, danger))),
      ...splitSentences(say.emergencyHandover(voice)),
    ],
    outcome: 'handover',
    // Whoever is in danger has more to say than yes.
    expects: 'anything',
    citations: advice?.citations ?? [],
    state: { question: turn.text.slice(0, 300), pending: { is: 'colleague' } },
  };
}
