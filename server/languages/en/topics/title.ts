import { plain } from '../../typography.ts';
import { readMessage } from '../messages/read-message.ts';
import { stopWordsOnly } from '../words.ts';

const MAX_WORDS = 6;
/** Longer words are cut, such as a sentence in a script without spaces. */
const MAX_CHARACTERS = 40;
/** Messages that are searched for a wish. */
const MAX_MESSAGES = 6;

/**
 * Title of a conversation: 3 to 6 words in title case, from the last answer, else from the customer's words.
 * Null while neither names anything.
 * @param topics topics of replies, in spoken words ("late pick-up", "how to change your password"), oldest
 * first
 */
export function makeTitle(userMessages: readonly string[], topics: readonly string[] = []): string | null {
  for (const topic of [...topics].reverse()) {
    const title = titleOfTopic(wordsOf(topic));
    if (title) return titleCase(title);
  }
  for (const message of userMessages.slice(0, MAX_MESSAGES)) {
    const { needs, background, acts } = readMessage(message);
    if (needs.length === 0 && acts.includes('handover')) return 'Request For A Human Colleague';
    for (const wish of [...needs, background]) {
      const title = titleOfWish(wish);
      if (title) return titleCase(title);
    }
  }
  return null;
}

const determiners = new Set('a an the my your our his her their'.split(' '));
const joints = new Set(
  'of for with without in on at to from by about during after before within between into if when because while until unless as per via'.split(
    ' ',
  ),
);
const isDeterminer = (word = '') => determiners.has(word.toLowerCase());
const isJoint = (word = '') => joints.has(word.toLowerCase());
const isOwn = (word: string) => /^(?:my|our)$/i.test(word);
const isAnd = (word = '') => /^(?:and|or)$/i.test(word);
const isFunctionWord = (word = '') => isJoint(word) || stopWordsOnly(word);

const wordsOf = (text: string) =>
  plain(text)
    .split(/\s+/)
    .map((word) =>
      word.replace(/(?<![^\p{L}\p{N}%])[^\p{L}\p{N}%]+$/u, '').replace(/^[^\p{L}\p{N}#$€£]+/u, ''),
    )
    .filter(Boolean)
    .map((word) => word.slice(0, MAX_CHARACTERS));

// ---- from a topic -------------------------------------------------------------------------------------------------------

const clause = /^(?:whether|what|when|where|which|who|why|how)$/i;

function titleOfTopic(words: readonly string[]): string[] | null {
  if (words.every(isFunctionWord)) return null;
  if (clause.test(words[0] ?? '')) {
    // A verb without its object is meaningless.
    const whole =
      fitted(words, 4) ??
      fitted(
        words.filter((word) => !isDeterminer(word)),
        4,
      );
    if (whole && whole.length > 2) return whole;
    return phraseIn(words, 'question');
  }
  const phrase = fitted(words.slice(words.findIndex((word) => !isFunctionWord(word))), 1);
  return phrase && complemented(phrase, 'question');
}

/** The words unchanged, or up to a joint of the phrase; null if there is none. */
function fitted(words: readonly string[], least: number): string[] | null {
  for (let end = Math.min(MAX_WORDS, words.length); end > 0; end--) {
    const isWhole =
      end === words.length || (end >= least && (isJoint(words[end]) || (end > least && isAnd(words[end]))));
    if (isWhole && !isFunctionWord(words[end - 1])) return words.slice(0, end);
  }
  return null;
}

// ---- from the customer's words ------------------------------------------------------------------------------------------

/** Phrases without information about the wish. */
const asides =
  /\b(?:[Mm]y name is|[Ii] am|[Ii]'m|[Tt]his is) \p{Lu}\p{L}+(?: \p{Lu}\p{L}+){0,2} ?(?:,|\.|and\b|here\b)|\b(?:any ?more|right now|at the moment|so far|as well|at all)\b|\b(?:this|next|last|the other|every) (?:week|month|year|night|morning|afternoon|evening|time)\b/gu;

/** A deed that a customer wants, with its object: "cancel my order". */
const requests =
  /^(?:cancel|return|change|track|book|buy|order|pay|reset|update|exchange|move|reschedule|delete|close|report|renew|upgrade|downgrade|replace|repair|redeem|modify|send|stop|add|remove|transfer|deliver|ship|rent|register|apply)$/i;
const beforeRequest = /^(?:to|can|could|may|i|you|we|please|and|just)$/i;

/** Verbs that are not nouns: a noun phrase ends before them. */
const verbs =
  /^(?:accept|appear|arrive|become|break|bring|broken?|came|collect|come|complain|contain|cover|deliver|eat|exist|expire|explain|find|forgot|found|give|gave|go|happen|include|keep|kept|left|lose|lost|made|make|mean|miss|offer|paid|pay|pick|receive|run|said|say|see|sell|send|sent|show|sold|speak|spoke|take|talk|tell|told|took|understand|wait|went|work|wrote)(?:s|es)?$/i;
const isParticiple = (word: string) => /[a-z]{3}(?:ed|ing)$/i.test(word);
const isAdverb = (word: string) =>
  /^(?:ago|almost|already|although|always|both|either|however|i'm|i've|instead|it's|maybe|never|often|since|soon|suddenly|though|twice|usually|whether|yesterday|.*n't)$/i.test(
    word,
  ) || /(?<!^(?:fami|rep|supp|assemb|dai|week|month|year|ear))ly$/i.test(word);
/** Words that name nothing by themselves, or only a person. */
const empty =
  /^(?:problems?|issues?|trouble|ways?|times?|bit|moments?|minutes?|days?|weeks?|months?|hours?|kind|sort|people|person|place|stuff|matter|case|company|guys?|nobody|husband|wife|partner|friend|son|daughter|kids?|child|children|mother|father|mum|mom|dad|brother|sister)$/i;

type Kind = 'problem' | 'status' | 'price' | 'question';

function titleOfWish(wish: string): string[] | null {
  const clauses = plain(wish)
    .replace(asides, ' ')
    .split(/[?!;:…]|(?<!\d)[.,](?!\d)|[.,](?=\s|$)/)
    .filter((said) => !/^\s*not?\b/i.test(said));
  const kind = kindOf(clauses.join(', '));
  // A single word before a comma is an address or a sigh.
  const told = clauses.map(wordsOf).sort((a, b) => Math.min(2, b.length) - Math.min(2, a.length));
  // Whatever does not work is the customer's own: "my bill", however much surrounds it.
  const owned =
    kind === 'problem'
      ? told.filter((words) => words.some(isOwn)).map((words) => words.slice(words.findIndex(isOwn)))
      : [];
  const requested = kind === 'problem' ? [] : told.map(requestIn);
  const named = [...owned, ...told].map((words) => phraseIn(words, kind));
  return [...requested, ...named].find((title) => title !== null) ?? null;
}

function kindOf(text: string): Kind {
  if (/\bwhere(?:'s| is| are) (?:my|our|the)\b|\bstatus\b/i.test(text)) return 'status';
  if (/\bhow much\b|\bcosts?\b|\bprices?\b/i.test(text)) return 'price';
  return readMessage(text).mood === 'broken' || /n't\b|\b(?:cannot|not|hacked|stuck)\b/i.test(text)
    ? 'problem'
    : 'question';
}

function requestIn(words: readonly string[]): string[] | null {
  const at = words.findIndex(
    (word, n) => requests.test(word) && (n === 0 || beforeRequest.test(words[n - 1] ?? '')),
  );
  const verb = words[at];
  if (!verb) return null;
  const object = phraseAt(words, at + 1, MAX_WORDS - 1);
  // "Order BW-27" and "return policy" contain a request's words without being one.
  if (at === 0 && object.length > 0 && !isDeterminer(words[1]) && !isJoint(words[1])) return null;
  const request = [verb, ...object];
  return request.length > 2 ? request : ['Request', 'To', ...request];
}

/** The first phrase that names something. */
function phraseIn(words: readonly string[], kind: Kind): string[] | null {
  for (let at = 0; at < words.length; at++) {
    if (!isName(words, at)) continue;
    const phrase = phraseAt(words, at, kind === 'question' ? MAX_WORDS : MAX_WORDS - 2);
    if (phrase.length > 1 || !empty.test(phrase[0] ?? '')) return complemented(phrase, kind);
  }
  return null;
}

/** Whether a word may begin a name of something. */
function isName(words: readonly string[], at: number): boolean {
  const [word = '', before = '', next] = [words[at], words[at - 1], words[at + 1]];
  if (isFunctionWord(word) || isAdverb(word)) return false;
  if (isDeterminer(before)) return true;
  if (verbs.test(word)) return false;
  if (/^(?:i|you|we|they|he|she|it|who|how|to|can|could|will|would|nobody|somebody|someone)$/i.test(before))
    return false;
  if (isAnd(before) && requests.test(word)) return false;
  // "opening hours", but not "is working" or "charged twice".
  return (
    !isParticiple(word) ||
    (/ing$/i.test(word) && !isBeing(before) && (before === 'there' || !isFunctionWord(next)))
  );
}

const isBeing = (word: string) => /^(?:is|are|am|was|were|been|be)$/i.test(word);

/** The phrase from an index on, without determiners, with as many whole parts as fit. */
function phraseAt(words: readonly string[], start: number, most: number): string[] {
  const phrase: string[] = [];
  let at = start;
  do {
    const joint = at > start || goesOn(words[at]) ? words.slice(at, at + 1) : [];
    at += joint.length;
    if (isDeterminer(words[at])) at++;
    const part: string[] = [];
    while (at < words.length && isPart(words[at] ?? '', part.length === 0)) part.push(words[at++] ?? '');
    if (part.length === 0 || (phrase.length > 0 && phrase.length + 1 + part.length > most)) break;
    phrase.push(...joint, ...part.slice(0, most));
  } while (goesOn(words[at]));
  return phrase;
}

const goesOn = (word = '') =>
  isAnd(word) || (isJoint(word) && !/^(?:if|when|because|while|until|unless|as|since)$/i.test(word));

const isPart = (word: string, isFirst: boolean) =>
  !isFunctionWord(word) && !isAdverb(word) && (isFirst || !(verbs.test(word) || isParticiple(word)));

// ---- the title ----------------------------------------------------------------------------------------------------------

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Adds words for the kind of wish to a short phrase. */
function complemented(phrase: string[], kind: Kind): string[] {
  if (phrase.some((word) => unspaced.test(word))) return phrase;
  const isTold = /^(?:problem|trouble|issue|status|price|cost)s?$/i.test(phrase[0] ?? '');
  if (kind === 'problem' && !isTold) return ['Problem', 'With', ...phrase];
  if (kind === 'status' && !isTold) return ['Status', 'Of', ...phrase];
  const priced = phrase.filter((word) => !/^(?:cost|price)s?$/i.test(word));
  if (kind === 'price' && !isTold && priced.length > 0) return ['Price', 'Of', ...priced];
  if (phrase.length === 1) return ['Question', 'About', ...phrase];
  return phrase.length === 2 ? [...phrase, 'Question'] : phrase;
}

/** "iPhone", "BW-27" and "VAT" keep their capitals. */
const titleCase = (words: readonly string[]) =>
  words
    .map((word) =>
      /^[A-Z0-9]{2,}|[a-z][A-Z]/.test(word)
        ? word
        : word.toLowerCase().replace(/^\p{L}|(?<=-)\p{L}/gu, (letter) => letter.toUpperCase()),
    )
    .join(' ');
