import * as say from '#server/languages/en/wording/wording';
import { splitSentences } from '#server/languages/sentences';
import type { CustomerTurn } from '../contract.ts';
import { find, type Knowing } from '../knowledge/find.ts';
import type { Draft } from './draft.ts';

/** Tells what to do, not only what is covered. */
const safetyAdvice =
  /\b(?:emergency|evacuat\w*|leave the|call|unplug|stop using|immediately|at once|switch (?:it )?off|turn (?:it )?off|disconnect|open the windows?|do not (?:touch|use)|rinse|press|keep)\b/i;
/** Cosine from which the business's own words are near enough to what has happened: what people cry out is no
 * question that the cross-encoder knows. For an injury they must be nearer: advice on another one harms. */
const BEARS = { danger: 0.45, injury: 0.6 };
/** Advice that sends for help itself needs no second sentence that does. */
const callsHelp =
  /\b(?:call|ring|dial|phone)\b[^.]*\b(?:\d{3}|emergency|ambulance|fire (?:brigade|department|service))\b/i;
/** Passages that are looked through for advice. */
const LOOKED_AT = 4;

/** A human word and safety first: the business's own words if it has any, and the emergency services; a person follows up. */
export async function emergencyReply(
  knowing: Knowing,
  turn: CustomerTurn,
  danger: 'danger' | 'injury',
  voice: say.Voice,
  signal: AbortSignal,
): Promise<Draft> {
  const found = await find(
    knowing,
    turn.agent,
    { text: `${turn.text.slice(0, 300)} What should I do in this emergency?`, context: null },
    signal,
  );
  const [advice] = found.ranked.slice(0, LOOKED_AT).flatMap(({ candidate }, place) => {
    const saying = place === 0 ? found.saying : found.sayingOf(place);
    const sentences = saying?.sentences.filter((sentence) => safetyAdvice.test(sentence)) ?? [];
    const bears = candidate.likeness >= BEARS[danger];
    return saying && bears && sentences.length > 0 ? [{ sentences, citations: saying.citations }] : [];
  });
  return {
    sentences: [
      say.concerned(voice, danger),
      ...(advice?.sentences ?? []),
      ...(advice?.sentences.some((sentence) => callsHelp.test(sentence))
        ? []
        : splitSentences(say.emergency(voice, danger))),
      ...splitSentences(say.emergencyHandover(voice)),
    ],
    outcome: 'handover',
    citations: advice?.citations ?? [],
    state: { question: turn.text.slice(0, 300), pending: { is: 'colleague' } },
  };
}
