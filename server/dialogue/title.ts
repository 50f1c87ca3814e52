import { readMessage } from './grounded/acts.ts';
import { plain } from './words/tokens.ts';

const MIN_WORDS = 3;
const MAX_WORDS = 6;

/** Said anywhere, these tell nothing of what is wanted. */
const asides: [RegExp, string][] = [
  [/\b(?:pls|plz)\b/gi, 'please'],
  [/\bu\b/gi, 'you'],
  [/\byou guys\b/gi, 'you'],
  [/\b(?:[Mm]y name is|[Ii] am|[Ii]'m|[Tt]his is) (?:\p{Lu}\p{L}+ ?){1,3}(?:,|\.|and\b|here\b)\s*/gu, ''],
  [/\b(?:any ?more|any longer|right now|at the moment|so far|as well|at all|again)\b/gi, ''],
  [/\b(?:this|next|last|the other) (?:week|month|year|night|morning|afternoon|evening|time)\b/gi, ''],
];

/** What is said around a wish: taken off its front, longest first. */
const fronts = [
  /^(?:and|so|but|ok|okay|well|also|please|hi|hello|hey|um|uh|yes|no|sorry|thanks)[\s,]+/i,
  /^(?:i|we) (?:would|'d) (?:really )?(?:like|love|want|need) (?:to (?:know|ask|find out|understand)(?: (?:about|if|whether|how|what|when))?|to|a|an|some|my|the)\s+/i,
  /^i'd (?:like|love) (?:to (?:know|ask)(?: (?:about|if|whether|how))?|to|a|an|some)\s+/i,
  /^(?:i|we) (?:really |just |also |urgently )?(?:want|need|wish|have|am trying|was trying|'m trying|tried|am looking|was wondering|am wondering|'m wondering)(?: (?:to know|to ask|to find out))?(?: (?:to|for|if|whether|how|about|a|an|some|my|the))*\s+/i,
  /^(?:can|could|may|would|will|do|does|did|should|must|is|are|am|was|were|has|have)(?:n't)? (?:i|you|we|it|they|there|the|my|your|a|an)(?: (?:please|also|just|still|possibly|able to|tell me|explain|help me|have|get|a|an|any))*\s+/i,
  /^(?:what|which|who|where|when|why|how)(?:'s| is| are| was| were| do| does| did| can| could| should| would| will| if| about| much| many| long| often| fast| soon)*(?: (?:i|you|we|it|there|the|my|your|a|an|to|of))*\s+/i,
  /^(?:tell me|explain|describe|show me|give me|help me|let me know)(?: (?:about|with|what|how|if|the|a|an|to|more))*\s+/i,
  /^(?:my|the|a|an|your|our|this|that|some|any|please|to|for|with|about)\s+/i,
];

const dropped = new Set(
  'a an the my your our his her their its this that these those please just really very also still already i you we it they me us is are am was were be been do does did has have had will would can could should and so there here if then now today any some'.split(
    ' ',
  ),
);
const endings = new Set(
  'for to with from of on in at by about as per or and after before without not until than into when via another other each every no nobody accept say whenever'.split(
    ' ',
  ),
);

/**
 * Title of a conversation from what the customer wants: 3 to 6 words in title case.
 * Null while the messages are greetings and small talk only.
 */
export function makeTitle(userMessages: readonly string[]): string | null {
  for (const message of userMessages.slice(0, 6)) {
    const { needs, acts } = readMessage(message);
    const wish = needs[0] ?? '';
    if (!wish) {
      if (acts.includes('handover')) return 'Request For A Human Colleague';
      continue;
    }
    const words = titleWords(wish);
    if (words.length === 0) continue;
    return titleCase(padded(words, wish).slice(0, MAX_WORDS));
  }
  return null;
}

const clauseEnd =
  /[?!;:]|(?<!\d)[.,](?!\d)|[.,](?=\s|$)| (?:because|since|but|which|so that|that (?:does|do|did|is|was|has|i|you)|and (?:i|it|the|what|how|when|is|do|can|need|want|would|now))\b/i;

function titleWords(text: string): string[] {
  const whole = asides
    .reduce((said, [aside, instead]) => said.replace(aside, instead), plain(text))
    .replace(/\s+/g, ' ')
    .trim();
  const [first = '', second = ''] = whole.split(clauseEnd).filter((clause) => clause.trim());
  // "Hola, quiero devolver un producto": one word before a comma is an address or a sigh.
  let s = (first.trim().includes(' ') ? first : `${first} ${second}`).trim();
  for (let n = 0, changed = true; changed && n < 8; n++) {
    changed = false;
    for (const front of fronts) {
      const shorter = s.replace(front, '');
      if (shorter !== s && shorter.trim()) {
        s = shorter;
        changed = true;
      }
    }
  }
  const words = s
    .split(' ')
    .map((word) => word.replace(/^[^\p{L}\p{N}#$€£]+|[^\p{L}\p{N}%]+$/gu, ''))
    .filter((word) => word && !dropped.has(word.toLowerCase()));
  const short = words.slice(0, MAX_WORDS);
  while (short.length > 0 && endings.has((short.at(-1) ?? '').toLowerCase())) short.pop();
  return short;
}

const verbs =
  /^(?:cancel|return|change|track|book|buy|order|pay|reset|update|exchange|refund|find|get|use|move|reschedule|delete|close|open|report|renew|upgrade|downgrade|contact|replace|repair|redeem|modify|speak|talk|bring|check|send|stop|add|remove|make|transfer)$/i;

const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;

/** Short wishes get the words that say what kind of wish they are. */
function padded(words: string[], wish: string): string[] {
  if (words.length >= MIN_WORDS || words.some((word) => unspaced.test(word))) return words;
  const q = wish.toLowerCase();
  const [first = ''] = words;
  // "Where is my order" and "your return policy" have the words of a request without being one.
  const isRequest = new RegExp(
    `(?:^|\\bto |please |(?:can|could|may) (?:i|you|we) |\\bi (?:want|need) )${first.toLowerCase().replace(/[^a-z]/g, '')}\\b`,
  ).test(q);
  if (verbs.test(first) && isRequest) return ['Request', 'To', ...words];
  if (/\bwhere(?:'s| is| are)|\bstatus\b/.test(q)) return ['Status', 'Of', ...words];
  if (/\bhow (?:long|fast|quick|soon)/.test(q)) return ['Time', 'Needed', 'For', ...words];
  if (/\bhow much|cost|price/.test(q)) return ['Price', 'Question', 'About', ...words];
  if (words.length === 2 && /^(?:my|our|the|i|we)\b/.test(q) && !/\b(?:know|ask|wonder)/.test(q))
    return ['Help:', ...words];
  return ['Question', 'About', ...words];
}

const titleCase = (words: readonly string[]) =>
  words
    .map((word) =>
      /^[A-Z0-9]{2,}/.test(word) ? word : word.charAt(0).toUpperCase() + word.slice(1).toLowerCase(),
    )
    .join(' ');
