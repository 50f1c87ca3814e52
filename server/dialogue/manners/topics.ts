import { stopWordsOnly } from '#server/languages/en/words';
import type { Passage } from '../passages/contract.ts';

const MAX_WORDS = 9;

const auxiliary =
  '(?:do|does|did|can|could|will|would|should|shall|may|might|must|is|are|am|was|were|has|have)';
const pronoun = '(?:i|you|we|they|he|she|it|there|one)';
/** Questions as the topic of a sentence: "How do I change my password?" is about how to change your password. */
const asTopics: [RegExp, string][] = [
  [/^how (?:do|does|can|could|should|would|may) (?:i|you|we|one) (.+)/i, 'how to $1'],
  [
    new RegExp(
      `^((?:what|which|who|when|where|why|how)(?: (?!${auxiliary}\\b)[\\w-]+){0,3}) (?:do|does|did) (${pronoun}) (.+)`,
      'i',
    ),
    '$1 $2 $3',
  ],
  [
    new RegExp(
      `^((?:what|which|who|when|where|why|how)(?: (?!${auxiliary}\\b)[\\w-]+){0,3}) (${auxiliary}) (${pronoun}) (.+)`,
      'i',
    ),
    '$1 $3 $2 $4',
  ],
  [/^(?:what|which) (?:is|are|was|were)(?: there)? (.+)/i, '$1'],
  [/^(where|who|when|how) (is|are|was|were) (.+)/i, '$1 $3 $2'],
  [new RegExp(`^(?:do|does|did) (${pronoun}) (.+)`, 'i'), 'whether $1 $2'],
  [new RegExp(`^(${auxiliary}) (${pronoun}) (.+)`, 'i'), 'whether $2 $1 $3'],
];
/** Who asks is who is spoken to. */
const turned: Record<string, string> = {
  i: 'you',
  my: 'your',
  me: 'you',
  mine: 'yours',
  am: 'are',
  you: 'we',
  your: 'our',
  yours: 'ours',
};

/** "does it take" becomes "it takes". */
const thirdPerson = (verb: string) => (/(?:[sxz]|[cs]h|o)$/.test(verb) ? `${verb}es` : `${verb}s`);

function questionAsTopic(asked: string): string {
  const question = asked.replace(
    /\b(does (?:it|he|she|there)) ([a-z]+)/i,
    (_, before: string, verb: string) => `${before} ${thirdPerson(verb)}`,
  );
  for (const [pattern, topic] of asTopics)
    if (pattern.test(question))
      return question
        .replace(pattern, topic)
        .replace(/\b(?:I|i|my|me|mine|am|you|your|yours)\b/gi, (word) => turned[word.toLowerCase()] ?? word);
  return /^what (?:happens|if)\b/i.test(question)
    ? question.replace(/\bI\b/g, 'you').replace(/\bmy\b/gi, 'your')
    : '';
}

/** Headings that tell what to do: "Change your password" is about how to change it. */
const imperative =
  /^(?:add|apply|access|book|buy|cancel|change|check|choose|close|connect|contact|convert|create|delete|disable|download|edit|enable|enter|export|file|find|fix|get|give|import|install|invite|join|leave|log|make|manage|move|open|order|pay|pick|print|read|redeem|register|reinstate|remove|renew|replace|report|request|reschedule|reset|restore|return|save|schedule|see|select|send|set|share|sign|start|stop|submit|switch|track|transfer|turn|update|upgrade|downgrade|upload|use|verify|view|write) /i;

/** Headings that name no topic. */
const noTopics =
  /^(?:about(?: us)?|introduction|overview|welcome|general|faqs?|frequently asked.*|(?:table of )?contents?|notes?|internal|version.*|miscellaneous|misc|other|important|basics?|generic|more(?: .*)?|questions?|what to try|summary|background|contacts?|details)$/i;

/** What a passage is about, in spoken words for the middle of a sentence; '' where nothing names it. */
export function topicOf(passage: Passage, place?: number): string {
  const statement = place === undefined ? undefined : passage.statements[place];
  // In a list of many things the thing itself is named: "Piano: upright £95" is about "piano".
  const label =
    passage.kind !== 'answer' && passage.statements.length > 3 ? labelOf(statement?.text ?? '') : '';
  for (const written of [
    label,
    passage.kind === 'answer' ? passage.lead : null,
    ...[...passage.headings].reverse(),
    passage.lead,
  ]) {
    const topic = spokenTopic(written ?? '');
    if (topic) return topic;
  }
  return '';
}

/** A heading as the topic of a sentence. */
export function spokenTopic(written: string): string {
  const question = /\?\s*$/.test(written);
  const bare = written
    .replace(/^\s*(?:\d+(?:\.\d+)*[.)]?\s+|(?:Q|FAQ)\s*[.:]\s*)/i, '')
    .replace(/\([^)]*\)/g, '')
    .replace(/[*_#`"“”]/g, '')
    .replace(/[?:!.…\s–-]+$/, '')
    .trim();
  const isAsking = question || /^(?:how|what|when|where|who|which|why) /i.test(bare);
  const named = (isAsking ? questionAsTopic(bare) || (question ? '' : bare) : bare)
    .replace(/\bmy\b/gi, 'your')
    .trim();
  const words = (imperative.test(named) ? `how to ${named}` : named).split(/\s+/).filter(Boolean);
  if (words.length === 0 || words.length > MAX_WORDS || stopWordsOnly(named) || noTopics.test(named))
    return '';
  return words
    .map((word) => (isName(word, named) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/\s*&\s*|\s+\+\s+/g, ' and ')
    .replace(/\s*\/\s*/g, ' or ');
}

/** Acronyms and mixed case keep their letters; a heading that is all capitals is only loud. */
const isName = (word: string, whole: string) =>
  /[a-z]/.test(whole) && (/^[^a-z]*[A-Z][^a-z]*[A-Z]/.test(word) || /[a-z][A-Z]/.test(word));

/** What stands before the colon or the first mark of a short item. */
function labelOf(text: string): string {
  const before = /^([^:–|,.(£$€]{2,40}?)\s*(?:[:–|,(£$€]|\.{2,}| - )/.exec(text)?.[1] ?? '';
  return before.split(/\s+/).length <= 4 && !/\d/.test(before) ? before : '';
}
