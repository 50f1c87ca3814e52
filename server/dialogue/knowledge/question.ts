import { properNames } from '../words/names.ts';
import { stem } from '../words/stem.ts';
import { normalize, type Token, tokenize } from '../words/tokens.ts';

export type QuestionKind =
  | 'how-long'
  | 'how-much'
  | 'how-many'
  | 'how-often'
  | 'when'
  | 'where'
  | 'who'
  | 'why'
  | 'how'
  | 'what'
  | 'yes-no'
  | 'statement';

export interface Term {
  word: string;
  stem: string;
  /** Share of the question's meaning before the knowledge is known: 0.15 for "work" or "get", 1 for a topic word. */
  weight: number;
  isName: boolean;
}

export interface Question {
  text: string;
  kind: QuestionKind;
  /** What it asks about, in order, without repetition. */
  terms: Term[];
  /** The mark its answer should bear, e.g. "#duration". */
  expects: string | null;
  /** Asks for all of several: "what statuses", "which cards". */
  wantsList: boolean;
  isYesNo: boolean;
}

/** Words that carry little of a question's topic although they are no stop words. */
const light = new Set(
  `go come work take give make use happen apply mean involve offer provide have find see look show put keep let try start do
  sell carry run handle deal change kind sort type way time day thing stuff long fast quick quickly soon often exactly
  cost price charge fee much pay amount total number count many different several various certain specific
  good best better new old big small little current normal usual normally usually typically general actual total full whole
  available allow allowed possible accept permit support receive please tell describe list name
  company business firm place people person customer client guest user today tomorrow tonight now later already
  first next last back away around before after if within during since until without once order item product service
  purpose case right wrong true real bit couple few anymore instead else too together own policy rule
  live call speak talk contact reach touch guy guys folk folks team staff agent love hate think believe hope suppose
  bring buy send check ask answer hear leave stay move keep turn call seem feel hold expect plan
  include require must should would regard concern relate available option options else whether happens`
    .split(/\s+/)
    .map(stem),
);

/** These say nothing about a topic at all once the question's kind is known. */
const empty = new Set(
  `take happen mean tell describe explain exactly actually go come much many long soon fast quick quickly often thing stuff
  guy guys folk folks bit else exist today now please currently suppose anymore regard whether if day`
    .split(/\s+/)
    .map(stem),
);

/** Reads what a customer's question asks for. `text` is one question or statement. */
export function readQuestion(text: string): Question {
  const plainText = normalize(text)
    .replace(
      /^[\s,.!-]*(?:(?:and|but|so|also|then|or|ok|okay|hi|hello|hey|please|thanks|well|sorry|um|uh)[\s,.!]+)+/g,
      '',
    )
    .trim();
  const kind = kindOf(plainText);
  const tokens = tokenize(text);
  const terms = termsOf(tokens, kind);
  return {
    text,
    kind,
    terms,
    expects: expectationOf(plainText, kind),
    wantsList:
      /\b(what|which|name|list)\b(?: (?:all|are|is|of|the|your|different|other|kinds?|types?|sorts?))* \w+s\b(?! (?:the|your|a|an|it|this|that|my)\b)/.test(
        plainText,
      ) ||
      /\bwhat (?:all|else|can i|do i need|should i|does .* include|is included|are my options)\b/.test(
        plainText,
      ) ||
      /\bwho (?:can|may|is (?:eligible|entitled))\b/.test(plainText),
    isYesNo: kind === 'yes-no',
  };
}

function kindOf(q: string): QuestionKind {
  if (
    /\bhow (?:long|fast|quick(?:ly)?|soon|late|early)\b|\bhow (?:many|much) (?:time|hours|days|weeks|months|years|minutes|nights|notice)\b|\bwhat is the (?:turnaround|waiting time|lead time)\b/.test(
      q,
    )
  )
    return 'how-long';
  if (/\bhow (?:often|frequently|regularly)\b/.test(q)) return 'how-often';
  if (/\bhow many\b/.test(q)) return 'how-many';
  if (
    /\bhow much\b|\bhow expensive\b|\b(?:what|which) (?:is|are|does|do|will|would) .*\b(?:price|cost|fee|rate|charge|tariff)s?\b|^(?:what|which) (?:price|cost|fee)s?\b|\bwhat .* (?:cost|charge)\b/.test(
      q,
    )
  )
    return 'how-much';
  if (
    /\b(?:when|what time|what day|which day|until when|by when|what date|what (?:are|is) (?:the|your) (?:open )?hour)/.test(
      q,
    )
  )
    return 'when';
  if (
    /\b(?:where|what address|which address|what is (?:the|your) address|what country|which country)\b/.test(q)
  )
    return 'where';
  if (/\b(?:who|whom|whose)\b/.test(q) && !/\bwho (?:i am|we are)\b/.test(q)) return 'who';
  if (/\b(?:why|what is the reason|how come)\b/.test(q)) return 'why';
  if (
    /^(?:is|are|am|was|were|do|does|did|can|could|will|would|may|might|must|should|shall|has|have|had|cannot|any)\b/.test(
      q,
    ) &&
    !/^(?:can|could|would|will) you (?:please )?(?:tell|explain|describe|give|list|let|show|help)\b/.test(q)
  )
    return 'yes-no';
  if (/\b(?:how)\b/.test(q)) return 'how';
  if (/\b(?:what|which)\b/.test(q)) return 'what';
  if (
    /\b(?:is it possible|am i able|are you able|is there|are there|can i|do you|may i|am i allowed)\b/.test(q)
  )
    return 'yes-no';
  return 'statement';
}

function expectationOf(q: string, kind: QuestionKind): string | null {
  if (/\btimezone/.test(q)) return '#timezone';
  if (kind === 'how-long') return '#duration';
  if (kind === 'how-much')
    return /\bdiscount|percent|commission|rate\b/.test(q) && !/\bcost|price\b/.test(q) ? '#money' : '#money';
  if (kind === 'how-many') return '#number';
  if (
    /\b(telephone|phone)\b.*\b(number|reach|call)\b|\bwhat number\b|\bwhich number\b|\btelephone\b|\bby phone\b/.test(
      q,
    )
  )
    return '#phone';
  if (/\bemail address\b|\bwhat (is|are) (the|your) .*email/.test(q)) return '#email';
  if (/\b(web ?site|web ?page|url|web address)\b/.test(q)) return '#url';
  if (kind === 'when') return /\bwhat time|open|close|hour\b/.test(q) ? '#clock' : '#when';
  if (kind === 'where') return null;
  if (/\bwhat percentage|which percentage|what percent\b/.test(q)) return '#percent';
  if (/\b(what|which) (size|weight|dimension|speed|height)|\bhow (big|heavy|tall|large|wide|far)\b/.test(q))
    return '#size';
  return null;
}

function termsOf(tokens: readonly Token[], kind: QuestionKind): Term[] {
  const seen = new Set<string>();
  const terms: Term[] = [];
  for (const token of tokens) {
    if (token.isStop || seen.has(token.stem)) continue;
    if (empty.has(token.stem) && (kind !== 'statement' || token.stem.length < 4)) continue;
    seen.add(token.stem);
    const isName = properNames.has(token.stem) || token.isName;
    const weight = isName ? 1 : /^\d/.test(token.word) ? 0.25 : light.has(token.stem) ? 0.4 : 1;
    terms.push({ word: token.word, stem: token.stem, weight, isName });
  }
  return terms;
}
