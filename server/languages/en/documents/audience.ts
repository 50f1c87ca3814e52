import type { Audience } from '../../contract.ts';
import { splitSentences } from '../sentences.ts';

const person = '(?:users?|customers?|callers?|clients?)';

/** Determines whom a text addresses, from how often it mentions "the customer" and calls the agent "you". */
export function audienceOf(text: string): Audience {
  const sentences = text.split(/\n+/).flatMap(splitSentences);
  const speaksOf = new RegExp(`\\b(?:the|any|each|every|a|help) ${person}\\b`, 'i');
  const named = sentences.filter((sentence) => speaksOf.test(sentence)).length;
  // A manual mentions "the user" occasionally, a policy all the time.
  if (named < 2 || named < MENTIONED * sentences.length) return 'customer';
  const both = sentences.filter(
    (s) => new RegExp(`\\b${person}\\b`, 'i').test(s) && /\b(?:you|your|agents?)\b/i.test(s),
  ).length;
  const imperatives = sentences.filter(
    (s) =>
      agentImperative.test(s.trim().replace(/^(?:[-*•]|\d+[.)])\s+/, '')) &&
      new RegExp(`\\b${person}\\b`, 'i').test(s),
  ).length;
  return both + imperatives >= 2 ? 'agent' : 'of-customer';
}

/** Share of sentences with "the customer" above which a text is about them. */
const MENTIONED = 0.12;

const agentImperative =
  /^(?:verify|check|confirm|ask|authenticate|offer|provide|transfer|apply|issue|inform|ensure|collect|request|submit|explain|tell|advise|escalate|review|process|locate|obtain|refund|credit|waive|record|schedule|cancel|send|let|give|make sure|do not|never|always|only)\b/i;

/** Words after "the customer" that show it is not the subject. */
const thirdPerson: Record<string, string> = {
  is: 'are',
  has: 'have',
  does: 'do',
  was: 'were',
  "isn't": "aren't",
  "hasn't": "haven't",
  "doesn't": "don't",
  goes: 'go',
};
const notVerbs = new Set(
  'address always this his its as status plus less us process business access various previous is has'.split(
    ' ',
  ),
);

/**
 * Rewrites policy text for or about somebody else as words to the customer. Facts, numbers and conditions
 * stay; only the person addressed changes.
 */
export function toCustomer(text: string, audience: Audience): string {
  if (audience === 'customer') return text;
  let s = text;
  if (audience === 'agent') {
    if (agentImperative.test(s) && new RegExp(`\\b${person}\\b|\\btheir\\b`, 'i').test(s)) s = addressed(s);
    s = s
      .replace(
        /\b(to|from|with|for|by|contact|tell|ask|help|let|give|allow|enable|remind|call|show|send|between|of|on|at) you\b/gi,
        '$1 us',
      )
      .replace(/\byou (yourself)\b/gi, 'we ourselves')
      .replace(/\byou\b/gi, (m, at: number) => (at === 0 ? 'We' : keepCase(m, 'we')))
      .replace(/\byour\b/gi, (m) => keepCase(m, 'our'));
    s = s
      .replace(
        /\b(to|from|with|for|by|contact) (?:the|an|our) (?:agents?|representatives?)\b(?! (?:will|can|must|may))/gi,
        '$1 us',
      )
      .replace(
        /\b(?:the|an|our) (?:agents?|representatives?)( (?:also|only|then))?( \w+)?/gi,
        (m, adverb = '', verb = '') => keepCase(m, `we${adverb}${plural(verb)}`),
      );
  }
  const before = s;
  s = s
    .replace(
      new RegExp(
        `\\b(explicit |prior |written )?${person} (confirmation|consent|approval|request|agreement)\\b`,
        'gi',
      ),
      (m, how = '', what = '') => keepCase(m, `your ${how}${what}`),
    )
    .replace(new RegExp(`\\b(?:the |a |each |every )?${person}(?:'s|s')`, 'gi'), (m) => keepCase(m, 'your'))
    .replace(
      /\bthe (?:user|customer|caller|client) (identity|account|email|id|address|name|details|profile)\b/gi,
      (m, what) => keepCase(m, `your ${what}`),
    )
    .replace(
      new RegExp(
        `(\\b(?:to|from|of|for|with|by|between|than|against|help|helps|ask|tell|remind|inform|provide|give|offer|transfer|allow|require|send|notify|charge|contact|advise|let|refund) )(?:the )?(${person})\\b(?! (?:id|ids|identity|profile|service|care|account|accounts|agreement|data|interface|support|group|type|types|base)\\b)`,
        'gi',
      ),
      '$1you',
    )
    .replace(
      new RegExp(
        `\\b(?<!other |another |same |one |new |all |most |business |existing )(?:(?:the|a|each|every) )?(${person})( (?:also|only|still|already|then|now))?( [\\w']+)?`,
        'gi',
      ),
      (m, who: string, adverb = '', verb = '', at: number) => {
        const bare = !/^(?:the|a|each|every) /i.test(m);
        if (bare && !/s$/i.test(who)) return m;
        if (
          /^ (?:id|ids|identity|profile|service|care|account|accounts|agreement|data|support|group|type|types|base)$/i.test(
            verb,
          )
        )
          return m;
        return (at === 0 || /[.!?]\s$/.test(s.slice(0, at)) ? 'You' : 'you') + adverb + plural(verb);
      },
    );
  if (s !== before)
    s = s
      .replace(/\btheir\b/g, 'your')
      .replace(/\bTheir\b/g, 'Your')
      .replace(/\bthey (?=have|are|need|want|must|can|will|do|did|provide|would|may|wish|already)/g, 'you ')
      .replace(/\bhe or she\b|\bhe\/she\b/g, 'you')
      .replace(/\bhis or her\b|\bhis\/her\b/g, 'your');
  return upperFirst(s.replace(/\byou to you\b/g, 'you'));
}

/** "Ask the customer for the receipt" → "We ask the customer for the receipt". */
function addressed(text: string): string {
  if (/^(?:do not|never)\b/i.test(text))
    return text.replace(/^(?:do not|never)\b/i, (m) => (/never/i.test(m) ? 'We never' : 'We do not'));
  if (/^(?:always|only)\b/i.test(text))
    return text.replace(/^(always|only)\b/i, (m) => `We ${m.toLowerCase()}`);
  return `We ${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

function plural(verb: string): string {
  const word = verb.trim();
  if (!word) return verb;
  const known = thirdPerson[word];
  if (known) return ` ${known}`;
  if (notVerbs.has(word) || !/[a-z]s$/.test(word) || /(ss|us|ous|less)$/.test(word)) return verb;
  if (/(sh|ch|x|zz|ss)es$/.test(word)) return ` ${word.slice(0, -2)}`;
  if (/ies$/.test(word)) return ` ${word.slice(0, -3)}y`;
  return ` ${word.slice(0, -1)}`;
}

const keepCase = (from: string, to: string) => (/^[A-Z]/.test(from) ? upperFirst(to) : to);
const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
