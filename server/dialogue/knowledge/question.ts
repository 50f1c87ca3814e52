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
  /** What the question is about at its heart: without it in the knowledge there is no answer. */
  isFocus: boolean;
  /** A verb at the heart: texts put it in other words more often than a thing. */
  isVerb: boolean;
  /** The last word of the thing asked for: "address" of "home address". */
  isHead: boolean;
}

export interface Question {
  text: string;
  kind: QuestionKind;
  /** What it asks about, in order, without repetition. */
  terms: Term[];
  /** Other words for the same, as a business would put it: they help to find, their lack says nothing. */
  extra: Term[];
  /** The mark its answer should bear, e.g. "#duration". */
  expects: string | null;
  /** Asks for all of several: "what statuses", "which cards". */
  wantsList: boolean;
  isYesNo: boolean;
  /** An age that the customer tells, in years. */
  age: number | null;
  /** Stems of what the customer counts or measures: "20 minutes late", "5 km". */
  measures: readonly string[];
}

/** Turns of phrase that a business's text puts in other words; these are searched for as well. */
const paraphrases: [RegExp, string][] = [
  [/\bhow (?:can|do|could|may|should) (?:i|we|you) pay\b|\bways? to pay\b/, 'payment methods accept'],
  [
    /\bwhere (?:are|is) (?:you|your company|your office|the office|the shop|the company)(?: guys)?(?: located| based| situated)?$/,
    'address located',
  ],
  [/\bwhen (?:are|do) you (?:open|close|available)\b/, 'hours'],
  [/\bhow (?:old|young) (?:do|must|should) (?:i|you|one|we)\b/, 'age minimum'],
  [/\b(?:who|what) (?:can|may) (?:join|apply|sign)\b/, 'eligible'],
  [/\b\d+[ -]years?[ -]olds?\b/, 'child age under'],
  [/\b(?:can|may|could|do) (?:i|we|people) (?:come|get|go) in(?:side)?\b/, 'doors open entry'],
  [
    /\bwhat (?:happens )?if (?:i|we) (?:am|are|arrive|come|get there|run) (?:too )?late\b/,
    'latecomers late arrival',
  ],
  [/\bwho (?:do|can|should|must) (?:i|we) (?:write|talk|speak|turn|send)\b/, 'contact email'],
  [/\b(?:how|where) (?:can|do|could) (?:i|we) (?:reach|contact|call|get hold of)\b/, 'contact'],
  [/\b(?:can|may|could|am|are) (?:i|we) (?:allowed to )?(?:bring|take)\b/, 'allowed welcome'],
  [
    /\bwhere is (?:my|the|our) (?:order|parcel|package|delivery|item|stuff|shipment)\b/,
    'tracking track delivery status',
  ],
  [
    /\b(?:parcel|package|order|shipment) (?:has |is )?(?:already |just )?(?:left|gone out|on its way)\b/,
    'shipped',
  ],
  [/\bnot (?:at )?home\b|\b(?:nobody|no one) (?:is )?(?:at )?home\b/, 'nobody home'],
  [/\bon the hook\b/, 'liable'],
  [/\bhow (?:far|close|near)\b/, 'distance minutes nearest'],
  [/\bwhat (?:is|are) (?:it|this|that|you) (?:for|about|good for)\b/, 'about'],
];

const paraphrase = (q: string) =>
  paraphrases
    .filter(([pattern]) => pattern.test(q))
    .map(([, words]) => ` ${words}`)
    .join('');

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
  include require must should would regard concern relate available option options method methods else whether happens`
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
  const terms = termsOf(tokens, kind, focusOf(plainText));
  const extra = termsOf(tokenize(paraphrase(plainText)), 'what', {
    stems: new Set(),
    head: null,
    verb: null,
  });
  return {
    text,
    kind,
    terms,
    extra: extra.filter((term) => !terms.some((own) => own.stem === term.stem)),
    expects: expectationOf(plainText, kind),
    wantsList:
      /\b(what|which|name|list)\b(?: (?:all|are|is|of|the|your|different|other|kinds?|types?|sorts?))* \w+s\b(?! (?:the|your|a|an|it|this|that|my)\b)/.test(
        plainText,
      ) ||
      /\bwhat (?:all|else|can i|do i get|do (?:members|customers|guests) get|do i need|should i|does .* include|is included|are my options)\b/.test(
        plainText,
      ) ||
      /\bwho (?:can|may|is (?:eligible|entitled))\b/.test(plainText),
    isYesNo: kind === 'yes-no',
    age: ageIn(plainText),
    measures: measuresIn(tokens),
  };
}

/** "I'm 23", "my mother is 72", "my 8 year old". */
function ageIn(q: string): number | null {
  const match =
    /\b(?:i am|he is|she is|they are|(?:son|daughter|child|kid|mother|father|mom|mum|dad|wife|husband|grand\w+|friend|brother|sister|boy|girl|baby|who) (?:is|are|turns)) (?:only |just |already |still |over |under )?(\d{1,2})\b(?! ?(?:minutes?|hours?|days?|weeks?|months?|km|miles?))/.exec(
      q,
    ) ??
    /\b(\d{1,2})[ -](?:years?|yrs?)[ -]?olds?\b/.exec(q) ??
    /\baged? (\d{1,2})\b/.exec(q);
  return match?.[1] ? Number(match[1]) : null;
}

const measurable = new Set(
  'minute hour day week month year km kilometre kilometer mile kg kilo gram metre meter cm inch people person guest adult child bag item user dollar euro pound gb mb litre'
    .split(' ')
    .map(stem),
);

const measuresIn = (tokens: readonly Token[]) =>
  tokens.flatMap((token, n) => {
    const before = tokens[n - 1]?.word ?? '';
    return measurable.has(token.stem) &&
      /^(?:\d+|one|two|three|four|five|six|seven|eight|nine|ten|twelve)$/.test(before)
      ? [token.stem]
      : [];
  });

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
    !/^(?:what|how|which|who|where|why|is|are|am|do|does|did|can|could|may|must|should|will|would|have|has)\b.*\bwhen\b/.test(
      q,
    ) &&
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
  if (
    /\b(?:how|where|who) (?:can|do|could|should|to) (?:i |we )?(?:reach|contact|get hold of)\b|\bcontact (?:details|information)\b|\bhow to contact\b/.test(
      q,
    )
  )
    return '#contact';
  if (kind === 'how-long') return '#duration';
  if (kind === 'how-much')
    return /\bdiscount|percent|commission|rate\b/.test(q) && !/\bcost|price\b/.test(q) ? '#money' : '#money';
  if (kind === 'how-many') return '#number';
  if (
    /\b(?:what|which|your|the|a|give me|have) (?:\w+ ){0,2}(?:telephone|number)\b(?! of)|\btelephone\b|\b(?:call|phone|ring|reach) you\b(?=.*\bhow|$)|\b(?:what is|is there|have) (?:the|your|a) number (?:of|for) (?:the |your )?(?:customer|support|service|help|hotline|office|store|shop|front)/.test(
      q,
    )
  )
    return '#phone';
  if (/\bemail address\b|\bwhat (is|are) (the|your) .*email/.test(q)) return '#email';
  if (/\b(web ?site|web ?page|url|web address)\b/.test(q)) return '#url';
  if (
    /\bhow (?:old|young)\b|\b(?:from|at|until) (?:what|which) age\b|\bage (?:limit|restriction)\b|\bminimum age\b/.test(
      q,
    )
  )
    return '#age';
  if (/^when (?:did|was|were)\b/.test(q)) return '#date';
  if (kind === 'when') return /\bwhat time|open|close|hour\b/.test(q) ? '#clock' : '#when';
  if (kind === 'where')
    return /\bwhere (?:is|are) (?:you|your|the)\b(?!.* (?:order|parcel|package|delivery|money|refund))|\b(?:located|based|situated|address)\b/.test(
      q,
    )
      ? '#address'
      : null;
  if (/\bwhat percentage|which percentage|what percent\b/.test(q)) return '#percent';
  if (/\b(what|which) (size|weight|dimension|speed|height)|\bhow (big|heavy|tall|large|wide)\b/.test(q))
    return '#size';
  return null;
}

/** Verbs that say nothing without their object. */
const emptyVerbs =
  'get|have|do|need|find|make|take|use|want|see|know|expect|go|come|be|put|keep|give|try|start|let|look|help|tell|ask|happen|work';

/** Verbs of the business that its text need not repeat: "do you sell", "do you offer". */
const youOnly =
  /^(?:sell|offer|have|provide|accept|charge|carry|stock|run|support|serve|recommend|answer|deal|handle|allow|include)$/;

const objectEnd =
  /\b(?:for|to|from|with|in|on|at|by|of|if|when|while|before|after|during|without|and|or|that|which|who|because|as|until|than|per|into|about|through|within|there|here|can|could|may|must|should|will|would|do|does|did|is|are|i|we|you|they|it|available|included|allowed|possible|cost|take|work|last|mean|include|open|close|start|begin|end|expire)\b|[,;?!]|\.\s*$/;

const objectOf: RegExp[] = [
  /\bhow many (?:different |other |more |of the |of your )?(.+)/,
  /\b(?:do|does|did|can|could|will|would) (?:you|they|we|i|it|the company|your \w+) (?:also |even |still |already |really |guys |please |ever )?(?:have|has|offer|sell|accept|take|provide|support|use|do|rent|run|carry|stock|make|own|teach|serve|integrate with|work with|connect to|get|buy|order|book|hire|include|recommend|suggest|teach|know) (?:a |an |any |the |your |some |me |us |my |with |of )*(.+)/,
  /\b(?:is|are|was|were) there (?:a |an |any |some |anywhere |somewhere |anyone |also |the |your )*(.+)/,
  /\b(?:how much|what) (?:is|are|does|do|would|will) (?:a |an |any |the |your |one |it cost for |my )*(.+)/,
  /\b(?:what|which|who) (?:is|are|was|were) (?:the |your |a |an |my )*(.+)/,
  /\bhow (?:much|high|expensive|big|old|long|fast|often) (?:is|are|does|do) (?:the |your |a |an |my )*(.+)/,
];

interface Focus {
  stems: ReadonlySet<string>;
  head: string | null;
  verb: string | null;
}

/** Stems at the heart of a question: what is counted, had, offered, priced or done. */
function focusOf(q: string): Focus {
  const focus = new Set<string>();
  let head: string | null = null;
  let done: string | null = null;
  for (const pattern of objectOf) {
    const rest = pattern.exec(q)?.[1];
    if (!rest) continue;
    const end = objectEnd.exec(rest);
    const object = end && end.index > 0 ? rest.slice(0, end.index) : end ? '' : rest;
    for (const token of tokenize(object)) {
      if (token.isStop) continue;
      focus.add(token.stem);
      if (!/\d/.test(token.word)) head = token.stem;
    }
    break;
  }
  const verb = new RegExp(
    `\\b(?:what|how|where|when|can|could|may|should|must|do|does|will|who)(?: (?:can|could|may|should|must|do|does|will|else|all))* (?:i|we|you|one|somebody|someone|people|customers) (?:also |still |please |even |already |just )?(?!(?:${emptyVerbs})\\b)(\\w+)`,
  ).exec(q)?.[1];
  if (
    verb &&
    !(youOnly.test(verb) && /\byou (?:also |still |even |already )?$/.test(q.slice(0, q.indexOf(verb))))
  )
    for (const token of tokenize(verb)) {
      if (token.isStop) continue;
      if (!focus.has(token.stem)) done = token.stem;
      focus.add(token.stem);
    }
  return { stems: focus, head, verb: done };
}

/** "In which city" asks where; the city itself is no topic. */
const asksWhich =
  /\b(?:which|what) (?:country|city|town|place|state|time|day|date|hour|amount|month|year|kind of|kinds of|sort of|type of|types of)(?: or (?:country|city|town|place|state|time|day|date))?\b/;

function termsOf(tokens: readonly Token[], kind: QuestionKind, focus: Focus): Term[] {
  const seen = new Set<string>();
  const terms: Term[] = [];
  const text = tokens.map((token) => token.word).join(' ');
  const which = asksWhich.exec(text)?.[0].split(' ').slice(1).map(stem) ?? [];
  const condition = conditionAt(tokens);
  for (const [n, token] of tokens.entries()) {
    if (token.isStop || seen.has(token.stem) || which.includes(token.stem)) continue;
    // "Your return policy" asks about returns.
    if (/^polic(?:y|ies)$/.test(token.word) && n > 0 && !tokens[n - 1]?.isStop) continue;
    const isFocus = focus.stems.has(token.stem);
    if (!isFocus && empty.has(token.stem) && (kind !== 'statement' || token.stem.length < 4)) continue;
    seen.add(token.stem);
    const isName = properNames.has(token.stem) || token.isName;
    // An age or amount of the customer's own is held against bounds, not looked up.
    const next = tokens[n + 1];
    if (
      /^\d+$/.test(token.word) &&
      ((next && measurable.has(next.stem)) || ageIn(text) === Number(token.word))
    )
      continue;
    if (
      ageIn(text) !== null &&
      (token.word === 'year' || token.word === 'years' || token.word === 'old' || token.word === 'olds')
    )
      continue;
    let weight = isName ? 1 : /^\d/.test(token.word) ? 0.25 : light.has(token.stem) && !isFocus ? 0.4 : 1;
    // What stands in a condition narrows the question; the main clause says what is asked.
    if (condition !== null && n > condition) weight *= 0.6;
    terms.push({
      word: token.word,
      stem: token.stem,
      weight,
      isName,
      isFocus,
      isHead: token.stem === focus.head,
      isVerb: token.stem === focus.verb,
    });
  }
  return terms;
}

/** Place of an "if" that follows a main clause. */
function conditionAt(tokens: readonly Token[]): number | null {
  const at = tokens.findIndex(
    (token) => token.word === 'if' || token.word === 'when' || token.word === 'while',
  );
  const before = tokens.slice(0, Math.max(0, at)).filter((token) => !token.isStop).length;
  return at > 2 && before >= 2 ? at : null;
}
