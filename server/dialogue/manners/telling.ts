import type { LanguagePack } from '#server/languages/contract';
import type { Found } from '../knowledge/find.ts';
import { isMiscellany } from '../passages/contract.ts';
import { furtherIn, saidOf } from './said-of.ts';
import type { DialogueState, Tellable } from './state.ts';
import { topicOf } from './topics.ts';

/** Topics named in a question back, and passages searched for them. */
export const NAMED = 3;
export const LOOKED_THROUGH = 8;
/** Characters kept of an earlier question. */
export const MAX_CONTEXT = 300;

/** The question to keep for follow-ups: standalone, with the previous one if it depended on it. */
export const keptQuestion = (
  { own }: Pick<DialogueState, 'own'>,
  found: Found | undefined,
  asked: string,
) => {
  const itself = found?.standing ?? asked;
  const leant = found && found.standing === null && found.question.length > found.asked.length;
  return {
    own: itself.slice(-MAX_CONTEXT),
    question: [leant ? own : null, itself].filter(Boolean).join(' ').slice(-MAX_CONTEXT),
  };
};

/** The heading of the topic from now on: a question about another topic clears it. */
export const sectionAfter = (
  { section }: Pick<DialogueState, 'section'>,
  found: Pick<Found, 'section' | 'standing'> | undefined,
): string | null => found?.section ?? (found?.standing ? null : section);

/** Topics of the best passages, each with its passages. */
export function optionsOf(
  { ranked }: Found,
  language: LanguagePack,
): { label: string; passages: number[] }[] {
  const options = new Map<string, number[]>();
  for (const { passage, candidate } of ranked.slice(0, LOOKED_THROUGH)) {
    const statements = isMiscellany(passage) ? candidate.statements : null;
    const likest = statements?.indexOf(Math.max(...statements));
    const label = topicOf(passage, language, likest);
    if (!language.telling.isNameable(label)) continue;
    const passages = options.get(label);
    if (passages) passages.push(passage.id);
    else if (options.size < NAMED) options.set(label, [passage.id]);
  }
  return [...options].map(([label, passages]) => ({ label, passages }));
}

/** The words said of a search result, with a name for it. */
export interface SaidOfFound extends Tellable {
  /** Places of its statements within the passage. */
  places: number[];
  /** It is more than a heading. */
  isTelling: boolean;
  /** The part that did not fit into an offer. */
  rest: Pick<Tellable, 'sentences' | 'citations'> | null;
}

/** @param isOffer says only the nearest part, in few words */
export function tellable(found: Found, language: LanguagePack, at = 0, isOffer = false): SaidOfFound {
  const saying = at === 0 ? found.saying : found.sayingOf(at);
  if (!saying) return { topic: '', sentences: [], citations: [], places: [], isTelling: false, rest: null };
  const asked = { own: found.asked, all: found.question };
  const said = saidOf(saying, asked, found.ranked[at]?.candidate.statements ?? null, language, isOffer);
  const topic = topicOf(saying.passage, language, said.places.length > 1 ? undefined : said.places[0]);
  return { topic, ...said };
}

/** Scores this close count as equal. */
const ALIKE = 0.03;

/**
 * The place to tell first: of two equal ones under the same heading the earlier, since a rule precedes its special
 * cases.
 */
export function placeOfRule({ ranked }: Pick<Found, 'ranked'>): number {
  const [best, next] = ranked;
  const isRule =
    best !== undefined &&
    next !== undefined &&
    best.score - next.score < ALIKE &&
    next.passage.id < best.passage.id &&
    next.passage.headings.join() === best.passage.headings.join();
  return isRule ? 1 : 0;
}

/** The untold rest of a passage; null if there is none. */
export function furtherOf(
  found: Found,
  { topic, places }: SaidOfFound,
  language: LanguagePack,
): Tellable | null {
  const passage = found.ranked[placeOfRule(found)]?.passage;
  if (!passage) return null;
  const further = furtherIn(passage, places, found.asked, language);
  return further.sentences.length > 0 ? { topic, ...further } : null;
}

/** A one-line account of an answer, for evaluating by hand. */
export const traceOf = ({ confidence, ranked, features }: Found) =>
  `${confidence.toFixed(2)} [${features.map((x) => x.toFixed(2)).join(' ')}] ${ranked
    .slice(0, 3)
    .map(
      ({ passage, relevance, score }) =>
        `#${passage.id} ${score.toFixed(1)} (${relevance?.toFixed(1) ?? '–'})`,
    )
    .join(' ')}`;
