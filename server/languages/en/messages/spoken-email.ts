import { DIGITS } from '../number-names.ts';
import { stopWordsOnly } from '../words.ts';
import { difference, MOST_CHANGED } from './spelling-distance.ts';

const joiners: Readonly<Record<string, string>> = {
  dot: '.',
  point: '.',
  underscore: '_',
  dash: '-',
  hyphen: '-',
  minus: '-',
  plus: '+',
};
/** Words around an address that do not belong to it. */
const around = new Set(
  'is it its my me to the email mail address and or that thats im i am was at reach on'.split(' '),
);
/** Spoken addresses are not longer. */
const MAX_PARTS = 12;
/** Most words of a name after "at". */
const MAX_HOST_WORDS = 5;
const mark = `(?:${Object.keys(joiners).join('|')}|at)`;
const pausesAroundMarks = new RegExp(
  `(?<![,.;])[,.;]{1,3}(?=\\s{1,3}${mark}\\b)|(?<=\\b${mark})[,.;]{1,3}(?=\\s|$)`,
  'gi',
);
const written =
  /,?\s(?:(?:that['’]?s|it['’]?s|is)\s)?(?:all\s)?(?:one word|in one word|lower ?case|together)\b/gi;
const spelledAfter =
  /(?<![\p{L}'’])(\p{L}{3,24}),?\s+(?:(?:that['’]?s|that is|spelled|spelt),?\s+)?((?:\p{L}[\s,.-]{1,3}){2,20}\p{L})(?![\p{L}\p{N}'’])/gu;

/** "B for bravo" says a letter once more, or is all there is of it. */
const letterFor =
  /(?<![\p{L}'’])(\p{L})(?:[\s,]{1,2}\1)?,? (?:for|as in|like(?: in)?) (?=\1)\p{L}{2,24}(?!\p{L})/giu;

/**
 * Spelled letters without the words that make them clear: "b u r n e, b for bravo" is "b u r n e", "b for bravo, d for
 * delta" is "b, d".
 */
export const plainlySpelled = (text: string): string =>
  text.replace(letterFor, (_, letter: string, at: number) =>
    isSpelledBefore(text.slice(0, at), letter) ? '' : letter,
  );

/** Whether a run of letters right before has the letter in it. */
const isSpelledBefore = (before: string, letter: string) =>
  (/(?<![\p{L}'’])(?:\p{L}[\s,.-]{1,3}){2,20}$/u.exec(before.slice(-80))?.[0] ?? '')
    .toLowerCase()
    .includes(letter.toLowerCase()) &&
  !/ (?:for|as in|like(?: in)?) \p{L}+[\s,.]*$/iu.test(before.slice(-40));

/**
 * Removes comments on the dictation: a word's spelling replaces the word; pauses and "all one word" are
 * dropped.
 */
const asDictated = (text: string) =>
  plainlySpelled(text)
    .replace(written, ' ')
    .replace(spelledAfter, (all, word: string, run: string) => {
      const letters = run.replace(/[^\p{L}]/gu, '');
      return difference(word, letters) <= MOST_CHANGED ? letters.toLowerCase() : all;
    })
    .replace(pausesAroundMarks, '');

/** A spoken or recognised address: "Jo dot smith at lantern works dot test"; undefined if none. */
export function spokenEmail(text: string): string | undefined {
  const words =
    asDictated(text)
      .match(/[\p{L}\p{N}'’._+-]+|[,;:!?]/gu)
      ?.slice(0, 400) ?? [];
  for (const [at, word] of words.entries()) {
    if (word.toLowerCase() !== 'at') continue;
    const host = hostFrom(words, at + 1);
    const local = host && localBefore(words, at - 1);
    if (local) return `${local}@${host}`.toLowerCase();
  }
  return undefined;
}

const plain = (word = '') => word.replace(/(?<!\.)\.+$/, '');
const joiner = (word: string | undefined) => joiners[word?.toLowerCase() ?? ''];
const isPart = (word: string | undefined) =>
  word !== undefined && /^[\p{L}\p{N}][\p{L}\p{N}._+-]*$/u.test(word);
const isLetter = (word: string | undefined) => word !== undefined && /^[\p{L}\p{N}]$/u.test(word);
const inFigures = (word: string) => {
  const digit = DIGITS.indexOf(word.toLowerCase());
  return digit < 0 ? plain(word) : String(digit);
};

/** Words followed by "dot" and another word, once or more: "lantern works dot co dot test". */
function hostFrom(words: readonly string[], from: number): string | null {
  let host = '';
  let at = from;
  for (; at < from + MAX_HOST_WORDS && isPart(words[at]) && !joiner(words[at]); at++)
    host += plain(words[at]);
  if (!host) return null;
  let dots = (host.match(/\.\p{L}{2,}$/u) ?? []).length;
  while (at < from + MAX_PARTS && joiner(words[at]) && isPart(words[at + 1])) {
    const joined = joiner(words[at]) ?? '';
    host += `${joined}${plain(words[at + 1])}`;
    if (joined === '.') dots++;
    at += 2;
  }
  return dots > 0 && /\.\p{L}{2,}$/u.test(host) ? host : null;
}

/** The part before "at": backwards as long as words connect to it. */
function localBefore(words: readonly string[], from: number): string | null {
  if (!isPart(words[from]) || joiner(words[from])) return null;
  let local = '';
  let at = from;
  for (let parts = 0; parts < MAX_PARTS && isPart(words[at]); parts++) {
    const word = words[at] ?? '';
    const isDoubled = words[at - 1]?.toLowerCase() === 'double' && isLetter(word);
    local = `${isDoubled ? inFigures(word).repeat(2) : inFigures(word)}${local}`;
    if (isDoubled) at--;
    const joined = joiner(words[at - 1]);
    if (joined && isPart(words[at - 2])) {
      local = `${joined}${local}`;
      at -= 2;
    } else if (isLetter(words[at - 1]) && words[at - 2]?.toLowerCase() === 'double') at--;
    else if (isSpelled(word) && isSpelled(words[at - 1]) && !around.has(words[at - 1]?.toLowerCase() ?? ''))
      at--;
    else break;
  }
  return around.has(local.toLowerCase()) ? null : local;
}

/** What is said before an address: "my e-mail is", "write to me at". */
const announces =
  /\b(?:(?:my|our|the|his|her)(?: \p{L}+)? ?e-?mail(?: address)?|(?:e-?mail|write to|reach|contact) (?:me|us|him|her) (?:on|at))\b[\s,:.]{0,3}(?:would you|will you|please)?[\s,:]{0,2}(?:(?:it|that|this|which)?(?:['’]s|s|\s?is)\b|:)?/giu;

/**
 * The half address at the end of a message whose rest is still to come: "my e-mail is jo dot", "jo dot lee at".
 * Only words that an address is made of count, so that a sentence is none.
 */
export function unfinishedEmail(message: string): string | null {
  const text = message.slice(-300);
  for (const { 0: said, index } of text.matchAll(announces)) {
    const tail = text.slice(index + said.length).trim();
    if (isHalfAddress(tail)) return tail;
  }
  return isHalfAddress(text) ? text : null;
}

/** Whether an address, or half of one, is told as the own: "my e-mail is jo dot". */
export const announcesEmail = (message: string): boolean => {
  const text = message.slice(-300);
  return [...text.matchAll(announces)].some(({ 0: said, index }) => {
    const tail = text.slice(index + said.length).trim();
    return (
      isHalfAddress(tail) || spokenEmail(tail) !== undefined || tail.split(' ')[0]?.includes('@') === true
    );
  });
};

function isHalfAddress(said: string): boolean {
  const words = asDictated(said).match(/[\p{L}\p{N}'’._+-]+|[,;:!?]/gu) ?? [];
  const at = words.findIndex((word) => word.toLowerCase() === 'at');
  const local = at < 0 ? words : words.slice(0, at);
  const host = at < 0 ? [] : words.slice(at + 1);
  const isJoined = at >= 0 || local.some((word, place) => place > 0 && joiner(word) !== undefined);
  return (
    isJoined &&
    local.length > 0 &&
    local.length <= MAX_PARTS &&
    local.every((word, place) =>
      joiner(word) !== undefined
        ? place > 0
        : isPart(word) && !around.has(word.toLowerCase()) && isConnected(local, place),
    ) &&
    host.length <= MAX_HOST_WORDS &&
    host.every((word) => joiner(word) !== undefined || (isPart(word) && !stopWordsOnly(word)))
  );
}

/** Whether a word of the part before "at" follows a mark, or is spelled as the one before it. */
const isConnected = (words: readonly string[], at: number) =>
  at === 0 ||
  joiner(words[at - 1]) !== undefined ||
  (isSpelled(words[at]) && isSpelled(words[at - 1])) ||
  (words[at - 1]?.toLowerCase() === 'double' && isLetter(words[at]));

/** A letter or digit said individually. */
const isSpelled = (word: string | undefined) => isLetter(word) || DIGITS.includes(word?.toLowerCase() ?? '');

/** Words compared with an address to correct it. */
const MAX_TRIED = 40;
/** How much of a part may differ from the word said in its place. */
const MOST_REPLACED = 0.5;
/** Words that together may be one part of it: "old mill books". */
const MAX_TOGETHER = 4;

/** A name after "at" that ends what was said: "millrace dot example". */
const hostAtEnd =
  /((?:[\p{L}\p{N}-]{1,40} ){1,5})(?:dot|point) ((?:[\p{L}\p{N}-]{1,40} (?:dot|point) ){0,2}\p{L}{2,24})[\s.!]*$/iu;

/** The address at another place: "no, that is the old one, lantern dot test"; null if none is told. */
function atOtherHost(address: string, message: string): string | null {
  const clause =
    asDictated(message)
      .split(/[,;:!?]|\bnot\b/i)
      .at(-1) ?? '';
  const [, before = '', end = ''] = hostAtEnd.exec(clause.slice(-200)) ?? [];
  const words = before.toLowerCase().split(' ').filter(Boolean);
  const name = words
    .slice(words.findLastIndex((word) => around.has(word) || stopWordsOnly(word)) + 1)
    .join('');
  const [local = '', host = ''] = address.split('@');
  const told = `${name}.${end.toLowerCase().replace(/ (?:dot|point) /g, '.')}`;
  // "Jo dot smyth" is the part before "at".
  const isLocal = local
    .split(/[._+-]/)
    .some((part) =>
      [name, told.split('.').at(-1) ?? ''].some((word) => difference(word, part) <= MOST_CHANGED),
    );
  return name && host && told !== host && !isLocal ? `${local}@${told}` : null;
}

/**
 * An address with its most similar part replaced by the repeated one, or at another host; null if nothing is
 * told anew.
 */
export function correctedEmail(address: string, message: string): string | null {
  const elsewhere = atOtherHost(address, message);
  if (elsewhere) return elsewhere;
  const words =
    asDictated(message)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, MAX_TRIED) ?? [];
  const parts: string[] = address.match(/[\p{L}\p{N}]+/gu)?.slice(0, MAX_PARTS) ?? [];
  const tried = words.flatMap((_, at) =>
    Array.from({ length: MAX_TOGETHER }, (__, n) => words.slice(at, at + n + 1)).filter(
      (some) =>
        !some.some((word) => word === 'at' || joiner(word)) &&
        !stopWordsOnly(some.join(' ')) &&
        some.join('').length > 2,
    ),
  );
  const likest = tried
    .flatMap((some) =>
      parts.map((part) => ({ said: some.join(''), part, share: difference(some.join(''), part) })),
    )
    // Words that are in the address already correct nothing.
    .filter(({ said, share }) => share <= MOST_REPLACED && !parts.includes(said))
    .reduce<{ said: string; part: string; share: number } | null>(
      (best, one) => (best === null || one.share < best.share ? one : best),
      null,
    );
  return likest && address.replace(likest.part, likest.said);
}
