import { DAYS, MONTHS } from '../calendar.ts';
import { stopWordsOnly } from '../words.ts';

const MAX_WORDS = 9;

const auxiliary =
  '(?:do|does|did|can|could|will|would|should|shall|may|might|must|is|are|am|was|were|has|have)';
const pronoun = '(?:i|you|we|they|he|she|it|there|one)';
/** Turns questions into topics: "How do I change my password?" becomes how to change your password. */
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
/** Swaps the customer's "I" for "you". */
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

/** Imperative headings: "Change your password" is about how to change it. */
const imperative =
  /^(?:add|apply|access|bring|book|buy|call|cancel|change|check|choose|close|collect|connect|contact|convert|create|delete|disable|download|edit|enable|enter|export|file|find|fix|get|give|import|install|invite|join|leave|log|make|manage|modify|move|open|order|pay|phone|pick|print|read|redeem|register|reinstate|remove|renew|replace|report|request|reschedule|reset|restore|return|save|schedule|see|select|send|set|share|sign|start|stop|submit|switch|track|transfer|turn|update|upgrade|downgrade|upload|use|verify|view|visit|write) /i;

/** Whether a sentence begins with an imperative. */
export const isDeed = (sentence: string): boolean => imperative.test(sentence);

const aim = /^(?:to|for|if you (?:want|would like|wish) to) [^,]{2,60}, /i;

/** Whether a sentence gives an instruction: "To return it, open your orders", "Send it to us". */
export const isStep = (told: string): boolean =>
  imperative.test(told.replace(aim, '').replace(/^please /i, ''));

const noTopics =
  /^(?:about(?: us)?|introduction|overview|welcome|general|faqs?|frequently asked.*|(?:table of )?contents?|notes?|internal|version.*|miscellaneous|misc|other|important|basics?|generic|more(?: .*)?|questions?|what to try|summary|background|contacts?|details)$/i;

/** File names are not topics: "faq_2026", "price-list-may.pdf". */
const fileName = /^\S*(?:\.(?:pdf|docx?|txt|md|html?|csv|xlsx?|json|eml|rtf|odt)$|_|-[^\s-]*-)/i;

/** A heading as a topic within a sentence. */
export function spokenTopic(written: string): string {
  if (fileName.test(written.trim())) return '';
  const question = /\?\s*$/.test(written);
  const bare = written
    .replace(/^\s*(?:\d+(?:\.\d+)*[.)]?\s+|(?:Q|FAQ)\s*[.:]\s*)/i, '')
    .replace(/\((?:[^()]|\([^()]*\))*\)/g, '')
    .replace(/[*_#`"“”]/g, '')
    .replace(/(?<![?:!.…\s–-])[?:!.…\s–-]+$/, '')
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
    .replace(/(?<!\s)\s*&\s*|(?<!\s)\s+\+\s+/g, ' and ')
    .replace(/(?<!\s)\s*\/\s*/g, ' or ');
}

/** Days and months; "You May Cancel" contains none. */
const dated = new Set<string>([
  ...DAYS.flatMap((day) => [day, `${day}s`]),
  ...MONTHS.filter((name) => name !== 'May'),
]);

/** Acronyms, mixed case, days and months keep their capitals; a heading all in capitals is only emphasis. */
const isName = (word: string, whole: string) =>
  /[a-z]/.test(whole) &&
  (/^[^a-z]*[A-Z][^a-z]*[A-Z]/.test(word) || /[a-z][A-Z]/.test(word) || dated.has(word));

/** Beginnings of headings that offer no help. */
const noHelp =
  /^(?:about|introduction|overview|welcome|general|faqs?|frequently asked|contents?|table of|notes?|policy|policies|internal|version|contact|domain|company|who we are|our (?:story|company|mission)|summary|background|misc|other|important|basics?|guidelines?|instructions?|rules?|scope|purpose|generic|more|questions)\b/i;

const MAX_HELP_WORDS = 4;

/**
 * A topic that a welcome offers help with, as part of a sentence: a list of them needs one "and", before the
 * last.
 */
export function topicForWelcome(heading: string): string | null {
  if (/[?:!.]/.test(heading) || heading.split(/\s+/).length > MAX_HELP_WORDS || noHelp.test(heading))
    return null;
  const spoken = heading
    .split(' ')
    .map((word) => (/^[A-Z]{2,}/.test(word) ? word : word.toLowerCase()))
    .join(' ')
    .replace(/(?<!\s)\s*&\s*/g, ' and ')
    .replace(/^our /, '');
  return spoken.split(/,| and /)[0]?.trim() ?? spoken;
}
