import { stem } from './stem.ts';

export interface Token {
  /** Lower case, as written. */
  word: string;
  stem: string;
  /** Begins with a capital where no sentence begins, or is all capitals. */
  isName: boolean;
  /** Says nothing about the topic: the, of, please … */
  isStop: boolean;
}

/** Typographic quotes and dashes to plain ones, odd spaces to one space. */
export function plain(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[\u2018\u2019\u201a\u2032]/g, "'")
    .replace(/[\u201c\u201d\u201e]/g, '"')
    .replace(/[\u00a0\u2000-\u200b\u202f]/g, ' ');
}

/** Words that are written in several pieces or ways, made one word. */
const compounds: [RegExp, string][] = [
  [/\b(log|sign)(ged|ging|s)?[ -](in|on|into)\b/g, 'login'],
  [/\b(log|sign)(ged|ging|s)?[ -](out|off)\b/g, 'logout'],
  [/\bsign(ed|ing|s)?[ -]?up\b/g, 'register'],
  [/\bcheck(s|ed|ing)?[ -]in\b/g, 'checkin'],
  [/\bcheck(s|ed|ing)?[ -]out\b/g, 'checkout'],
  [/\b(pick|picked|picking|picks)[ -](it |them |this |my \w+ )?up\b/g, 'pickup'],
  [/\bdrop(s|ped|ping)?[ -](it |them )?off\b/g, 'dropoff'],
  [/\bwi[ -]?fi\b/g, 'wifi'],
  [/\be-?mail(s|ed|ing)?\b/g, 'email'],
  [/\b(zip|postal|post)[ -]?codes?\b/g, 'postcode'],
  [/\btime[ -]?zones?\b/g, 'timezone'],
  [/\bmoney back\b/g, 'refund'],
  [/\bpay(ing|s)? (me |us )?back\b/g, 'refund'],
  [
    /\b(give|giving|send|sending|sent|bring|bringing|take|taking|ship) (it |them |this |that |these |something |items |(?:an?|my|the|your|some) (?:\w+ ){1,2})?back\b/g,
    'return',
  ],
  [/\bcall(ed|ing|s)? (it |them |this |that |(?:the|my|an?|our) \w+ )?off\b/g, 'cancel'],
  [/\b(?:put|add)(?:ting|ing)? (?:one|some|two) more\b/g, 'add another'],
  [/\bget(ting)? rid of\b/g, 'dispose'],
  [/\bset(ting|s)?[ -]?up\b/g, 'setup'],
  [/\b(?:show(s|ed|n)?|turn(s|ed)?) up\b/g, 'appear'],
  [/\bback(s|ed|ing)?[ -]?ups?\b/g, 'backup'],
  [/\bopt(ed|ing|s)?[ -]out\b/g, 'optout'],
  [/\bget(ting)? in touch( with)?\b/g, 'contact'],
  [/\breach out( to)?\b/g, 'contact'],
  [/\bhow (much|many)\b/g, 'how $1'],
  [/\bpre[ -]?order(s|ed|ing)?\b/g, 'preorder'],
  [/\bgift[ -]?cards?\b/g, 'giftcard'],
  [/\bwheel[ -]?chairs?\b/g, 'wheelchair'],
  [/\bweek[ -]ends?\b/g, 'weekend'],
  [/\bnext[ -]day\b/g, 'nextday'],
  [/\bsame[ -]day\b/g, 'sameday'],
  [/\b(two|2|multi)[ -](factor|step)\b/g, 'twofactor'],
  [/\b2fa\b/g, 'twofactor authentication'],
  [/\bsingle sign[ -]on\b/g, 'sso'],
  [/\bloginon\b/g, 'sso'],
  [/\bchild seat/g, 'childseat'],
  [/\bhot[ -]?line\b/g, 'hotline'],
  [/\bnon[ -](?=[a-z])/g, 'not '],
  [/\bopening (hours|times)\b/g, 'open hour'],
  [/\b(business|office|store|shop|working) hours\b/g, 'open hour'],
  [/\bphone number\b/g, 'telephone'],
  [/\bno longer\b/g, 'no longer'],
  [/\bdebit cards?\b/g, 'debit card'],
  [/\bpass[ -]word/g, 'password'],
  [/\buser[ -]names?\b/g, 'username'],
  [/\bvoice[ -]mail/g, 'voicemail'],
  [/\bair[ -]?con(ditioning|ditioner|ditioned)?\b/g, 'aircon'],
  [/\bhead[ -]?phones?\b/g, 'headphone'],
  [/\bdownpayment\b/g, 'down payment'],
  [/\bno[ -]shows?\b/g, 'noshow'],
  [/\bdata[ -]?cent(?:er|re)s?\b/g, 'datacenter'],
  [/\bsell(s|ing)? by\b/g, 'sell'],
  [/\bexpir(y|ation) dates?\b/g, 'expire'],
  [/\brun(s|ning)? out\b/g, 'expire'],
  [/\bfrequently asked questions\b/g, 'faq'],
];

const contractions: [RegExp, string][] = [
  [/\bcan't\b|\bcant\b/g, 'cannot'],
  [/\bwon't\b/g, 'will not'],
  [/\bshan't\b/g, 'shall not'],
  [/\b(do|does|did|is|are|was|were|has|have|had|would|could|should|must)n'?t\b/g, '$1 not'],
  [/\b(i)'?m\b/g, '$1 am'],
  [/\b(what|where|when|who|how|that|there|it|he|she)'s\b/g, '$1 is'],
  [/\bwhats\b/g, 'what is'],
  [/\bhows\b/g, 'how is'],
  [/\bwheres\b/g, 'where is'],
  [/\b(\w+)'re\b/g, '$1 are'],
  [/\b(\w+)'ve\b/g, '$1 have'],
  [/\b(\w+)'ll\b/g, '$1 will'],
  [/\b(i|you|we|they|he|she|it)'d\b/g, '$1 would'],
  [/\b(\w+)'s\b/g, '$1'],
  [/\b(\w+s)'(?=\s|$)/g, '$1'],
  [/\bwanna\b/g, 'want to'],
  [/\bgonna\b/g, 'going to'],
  [/\bgotta\b/g, 'have to'],
  [/\bpls\b|\bplz\b/g, 'please'],
  [/\bu\b/g, 'you'],
  [/\bur\b/g, 'your'],
  [/\br\b/g, 'are'],
  [/\bthx\b|\bty\b/g, 'thanks'],
  [/\binfo\b/g, 'information'],
  [/\bdo i've\b/g, 'do i have'],
];

/** Lower case, contractions spelled out, compounds joined: what is indexed and searched. */
export function normalize(text: string): string {
  let s = plain(text).toLowerCase();
  for (const [pattern, to] of contractions) s = s.replace(pattern, to);
  for (const [pattern, to] of compounds) s = s.replace(pattern, to);
  return s;
}

const wordPattern = /[\p{L}\p{N}]+(?:[.,:/](?=\p{N})\p{N}+)*%?/gu;

/** Words of a text with stems, stop words marked. */
export function tokenize(text: string): Token[] {
  const names = namesIn(text);
  return (normalize(text).match(wordPattern) ?? []).map((word) => ({
    word,
    stem: stem(word),
    isName: names.has(word),
    isStop: stopWords.has(word),
  }));
}

/** Stems of the words that carry meaning. */
export function contentStems(text: string): string[] {
  return tokenize(text)
    .filter((token) => !token.isStop)
    .map((token) => token.stem);
}

function namesIn(text: string): Set<string> {
  const names = new Set<string>();
  // A whole line in capitals names nothing.
  if (!/[a-z]/.test(text)) return names;
  const written = plain(text);
  for (const match of written.matchAll(/(?<![\p{L}\p{N}])(?:\p{Lu}[\p{L}']+|\p{Lu}{2,}\d*)/gu)) {
    const before = written.slice(Math.max(0, match.index - 6), match.index);
    if (match.index === 0 || /(?:^|[.!?:•–-]\s+|[\n"(]\s*)$/.test(before)) continue;
    names.add(match[0].toLowerCase().replace(/'s?$/, ''));
  }
  return names;
}

export const stopWords: ReadonlySet<string> = new Set(
  `a an the this that these those there here it its i me my mine myself we us our ours you your yours yourself he him his she her
  hers they them their theirs who whom whose which what when where why how am is are was were be been being do does did doing done
  have has had having can could will would shall should may might must cannot not no nor and or but if then else than so because
  as of at by for with about against between into through during to from in out on off over under again further once
  all any both each few more most other some such only own same too very just also still even yet ever never always
  please thanks thank hello hi hey dear ok okay well oh um uh hmm yes yeah
  get got let lets want wants wanted need needs needed like know tell say said go going want wish wonder wondering
  s t d ll re ve m one ones thing things something anything someone somebody anyone anybody everyone
  really actually currently exactly maybe perhaps possible possibly able up down
  much many lot lots per via etc eg ie vs able sure mean means
  far anywhere somewhere everywhere nowhere along away together information help question questions ask explain give details detail regarding concerning`
    .split(/\s+/)
    .filter(Boolean),
);
