import type { LanguagePack } from '#server/languages/contract';
import type { Found } from '../knowledge/find.ts';
import { isMiscellany } from '../passages/contract.ts';
import type { DialogueState, Tellable } from './state.ts';
import { topicOf } from './topics.ts';

/** Topics that a question back names, and passages looked through for them. */
export const NAMED = 3;
export const LOOKED_THROUGH = 8;
/** Characters of an earlier question that later ones may lean on. */
export const MAX_CONTEXT = 300;

/** What later questions may lean on: the question, with the one before where it leant on that. */
export const keptQuestion = ({ own }: DialogueState, found: Found | undefined, asked: string) => ({
  own: asked.slice(-MAX_CONTEXT),
  question: [found && found.question.length > asked.length ? own : null, asked]
    .filter(Boolean)
    .join(' ')
    .slice(-MAX_CONTEXT),
});

/** Topics that the best passages are about, each with its passages. */
export function optionsOf(
  { ranked }: Found,
  language: LanguagePack,
): { label: string; passages: number[] }[] {
  const options = new Map<string, number[]>();
  for (const { passage, candidate } of ranked.slice(0, LOOKED_THROUGH)) {
    const statements = isMiscellany(passage) ? candidate.statements : null;
    const likest = statements?.indexOf(Math.max(...statements));
    const label = topicOf(passage, language, likest);
    if (!label) continue;
    const passages = options.get(label);
    if (passages) passages.push(passage.id);
    else if (options.size < NAMED) options.set(label, [passage.id]);
  }
  return [...options].map(([label, passages]) => ({ label, passages }));
}

/** What is said of a found passage, with a name for it. */
export function tellable(found: Found, language: LanguagePack, at = 0): Tellable {
  const saying = at === 0 ? found.saying : found.sayingOf(at);
  if (!saying) return { topic: '', sentences: [], citations: [] };
  return {
    topic: topicOf(saying.passage, language, saying.places[0]),
    sentences: saying.sentences,
    citations: saying.citations,
  };
}

/** How an answer came about, in one line: for evaluating by hand. */
export const traceOf = ({ confidence, ranked, features }: Found) =>
  `${confidence.toFixed(2)} [${features.map((x) => x.toFixed(2)).join(' ')}] ${ranked
    .slice(0, 3)
    .map(
      ({ passage, relevance, score }) =>
        `#${passage.id} ${score.toFixed(1)} (${relevance?.toFixed(1) ?? '–'})`,
    )
    .join(' ')}`;
