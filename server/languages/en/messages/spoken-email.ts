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

/**
 * Removes comments on the dictation: a word's spelling replaces the word; pauses and "all one word" are
 * dropped.
 */
const asDictated = (text: string) =>
  text
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

/** A letter or digit said individually. */
const isSpelled = (word: string | undefined) => isLetter(word) || DIGITS.includes(word?.toLowerCase() ?? '');

/** Words compared with an address to correct it. */
const MAX_TRIED = 40;
/** How much of a part may differ from the word said in its place. */
const MOST_REPLACED = 0.5;
/** Words that together may be one part of it: "old mill books". */
const MAX_TOGETHER = 4;

/** An address with its most similar part replaced by the repeated one; null if none is similar. */
export function correctedEmail(address: string, message: string): string | null {
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
