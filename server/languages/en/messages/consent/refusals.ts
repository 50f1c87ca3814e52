import { isName } from '../../names.ts';
import { addresses } from './assents.ts';
import { endsOf, type Phrase } from './phrases.ts';
import type { ReadBack } from './read-back.ts';
import {
  besides,
  givingUpOnAny,
  givingUpOnEnding,
  type Lexicon,
  needing,
  refusing,
  refusingAlone,
  wishing,
} from './refusing-phrases.ts';
import { type Token, wordsOf } from './tokens.ts';
import { isNumber, ordinalAt, valuesAt } from './values.ts';
import { canonical, isMonth, isWeekday, setOf } from './vocabulary.ts';

/** With these, "do not" says nothing about the deed. */
const innocent = setOf(
  'know understand mind think have see get remember forget agree believe hear recall care want need like wish bother worry trouble',
);
const subjects = setOf('i we you they he she it who');
/** A refusal of a time or place leaves the deed itself open. */
const otherwise = setOf('before until till unless after if yet to at on from in by with');

/** Whether a message only gives up, whatever was asked. */
export const givesUp = (
  tokens: readonly Token[],
  { isEnding }: ReadBack,
  names: readonly string[],
): boolean => isWhole(wordsOf(tokens), isEnding ? givingUpOnEnding : givingUpOnAny, names);

/** While an input is asked for, the first words alone can refuse. */
export function refusesAtOnce(tokens: readonly Token[]): boolean {
  const words = wordsOf(tokens).filter((word) => !/^(?:oh|well|please|sorry|ok)$/.test(word));
  return /^(?:(?:no|nope|nah)(?: |$)|do not |rather not|not (?:yet|now))/.test(words.join(' '));
}

/** Whether a message refuses the read-back and wants nothing else instead. */
export function refuses(tokens: readonly Token[], readBack: ReadBack, names: readonly string[]): boolean {
  const words = wordsOf(tokens);
  if (finds(wishing, words)) return false;
  const isKept = readBack.deeds.has('keep') && words.some((word) => /^keep(?:ing)?$/.test(word));
  const isYesBut = words.includes('but') && words.some((word) => /^(?:yes|yeah|yep|sure)$/.test(word));
  return (
    (finds(refusing, words) && !isKept) ||
    (finds(refusingAlone, words) && !isYesBut) ||
    (finds(needing, words) && readBack.isEnding) ||
    /^too (?:much|expensive|dear|pricey|costly|steep)\b/.test(words.join(' ')) ||
    postpones(words) ||
    leavesIt(tokens) ||
    keepsIt(tokens, readBack) ||
    forbids(words) ||
    substitutes(words) ||
    saysNo(tokens, readBack, names)
  );
}

/** "Not now": after a yes it may mean another time. */
const postpones = (words: readonly string[]) =>
  /^(?:(?:oh|well|sorry|no|ok|actually|please) )*not (?:now|today|yet)\b/.test(words.join(' '));

/** Whether a message consists only of these phrases and permitted additions. */
function isWhole(words: readonly string[], phrases: readonly Phrase[], names: readonly string[]): boolean {
  // By index: whether one of the phrases was used to reach it.
  const reached = new Map<number, boolean>([[0, false]]);
  for (let at = 0; at < words.length; at++) {
    const had = reached.get(at);
    if (had === undefined) continue;
    const reach = (end: number, has: boolean) => reached.set(end, has || reached.get(end) === true);
    if (names.some((name) => isName(words[at], name))) reach(at + 1, had);
    for (const phrase of [...besides, ...addresses])
      for (const end of endsOf(phrase, words, at)) reach(end, had);
    for (const phrase of phrases) for (const end of endsOf(phrase, words, at)) reach(end, true);
  }
  return reached.get(words.length) === true;
}

const finds = (index: Lexicon, words: readonly string[]) =>
  words.some((word, at) => index.get(word)?.some((phrase) => endsOf(phrase, words, at).length > 0));

/** "Leave it then", "leave it running"; not "leave it at the door". */
function leavesIt(tokens: readonly Token[]): boolean {
  return tokens.some(({ text }, at) => {
    if (text !== 'leave' || !/^(?:it|that|this|everything|things)$/.test(tokens[at + 1]?.text ?? ''))
      return false;
    const next = tokens[at + 2];
    return (
      next === undefined ||
      next.isAfterBreak ||
      /^(?:be|there|alone|out|please|then|thanks|thank|for|now|running|as|how|the|i|we|it|you|cheers|anyway|sorry|bye)$/.test(
        next.text,
      ) ||
      (next.text === 'on' && isWeekday(tokens[at + 3]?.text ?? ''))
    );
  });
}

/** "Keep the Monday", if the deed is not to keep. */
function keepsIt(tokens: readonly Token[], { deeds }: ReadBack): boolean {
  if (deeds.has('keep')) return false;
  return tokens.some(
    ({ text, isAfterBreak }, at) =>
      text === 'keep' &&
      !tokens.slice(0, at).some((token) => deeds.has(canonical(token.text))) &&
      /^(?:it|that|the|my|our|them|things|everything)$/.test(tokens[at + 1]?.text ?? '') &&
      (at === 0 || isAfterBreak || isLead(tokens[at - 1]?.text ?? '') || tokens[at - 1]?.text === 'back') &&
      tokens[at - 1]?.text !== 'but',
  );
}

/** "Don't send it". */
function forbids(words: readonly string[]): boolean {
  return words.some((word, at) => {
    if (word !== 'do' || words[at + 1] !== 'not' || subjects.has(words[at - 1] ?? '')) return false;
    const verb = words[at + 2];
    if (verb === undefined || isLead(verb)) return true;
    return !innocent.has(verb) && !words.slice(at + 3).some((later) => otherwise.has(later));
  });
}

/** "I'll take the bus instead", "I'll do it myself". */
const substitutes = (words: readonly string[]) =>
  words.some((word, at) => /^(?:i|we)$/.test(word) && words[at + 1] === 'will') &&
  words.some((word) => /^(?:instead|myself|ourselves|elsewhere)$/.test(word));

const leads =
  setOf(`oh ah well so actually sorry please ok alright right yes yeah yep aye sure fine great perfect lovely brilliant good look listen
  god but then thanks thank you mean said say think just now hmm is it though honestly anyway thoughts really hey hi hello`);
const isLead = (word: string) => leads.has(word);
/** "No problem" refuses nothing. */
const notRefused = setOf(
  'problem problems worries bother objection objections extra doubt idea wonder hurry matter one change changes issue issues trouble hassle',
);

/** A clause that begins with "no" and wants nothing else. */
function saysNo(tokens: readonly Token[], readBack: ReadBack, names: readonly string[]): boolean {
  const words = wordsOf(tokens);
  const isStart = (at: number) =>
    at === 0 || tokens[at]?.isAfterBreak || isLead(words[at - 1] ?? '') || isNamed(words[at - 1]);
  const isNamed = (word: string | undefined) => names.some((name) => isName(word, name));
  const at = words.findIndex(
    (word, place) =>
      /^(?:no|nope|nah|negative|never)$/.test(word) &&
      isStart(place) &&
      !notRefused.has(words[place + 1] ?? ''),
  );
  if (at < 0) return false;
  const rest = words.slice(at + 1).filter((word) => !isNamed(word));
  if (namesAnother(rest, readBack)) return false;
  const [first = '', second = '', third = ''] = rest;
  if (rest.every((word) => isTail(word))) return true;
  if (
    /^(?:no|nope|nah|not|never|too|sorry|just|leave|let|keep|stop|stay|do|please|thanks|thank)$/.test(first)
  )
    return true;
  if (first === 'cancel' && !readBack.isEnding) return true;
  if (/^(?:i|we|he|she|they)$/.test(first))
    return !rest.some((word) => /^(?:want|need|meant|said|asked|mean|like)$/.test(word));
  if (/^(?:it|that)$/.test(first) && second === 'is')
    return /^(?:fine|ok|alright|good|too|grand|all)$/.test(third);
  return false;
}

const tails = setOf(
  'no nope nah actually instead well please thanks thank you sorry then mate love cheers bye goodbye now really today ta dear ok it is so much very',
);
const isTail = (word: string) => tails.has(word);

/** A number or day that is not in the read-back is another wish. */
function namesAnother(words: readonly string[], { values, words: known }: ReadBack): boolean {
  return words.some((word, at) => {
    if (isWeekday(word) || isMonth(word)) return !known.has(canonical(word));
    if (word === 'one' || !(isNumber(word) || ordinalAt(words, at))) return false;
    return !valuesAt(words, at).some(({ figures }) => values.some((value) => value.figures === figures));
  });
}
