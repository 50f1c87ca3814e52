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
const digits = 'zero one two three four five six seven eight nine'.split(' ');
/** Words that are no part of an address before or behind it. */
const around = new Set(
  'is it its my me to the email mail address and or that thats im i am was at reach on'.split(' '),
);
/** Longer ones nobody says. */
const MAX_PARTS = 12;
/** Words that a name behind "at" has at most. */
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

/** What is dictated without what is said about it: its spelling in the place of a word, pauses, "all one word". */
const asDictated = (text: string) =>
  text
    .replace(written, ' ')
    .replace(spelledAfter, (all, word: string, run: string) => {
      const letters = run.replace(/[^\p{L}]/gu, '');
      return difference(word, letters) <= MOST_CHANGED ? letters.toLowerCase() : all;
    })
    .replace(pausesAroundMarks, '');

/** "Jo dot smith at lantern works dot test": an address as it is said or heard; undefined where none is. */
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
  const digit = digits.indexOf(word.toLowerCase());
  return digit < 0 ? plain(word) : String(digit);
};

/** A few words and then "dot" and another, once or more: "lantern works dot co dot test". */
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

/** What stands before the "at", from there backwards as far as words join it. */
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

/** A letter or a figure that is said by itself. */
const isSpelled = (word: string | undefined) => isLetter(word) || digits.includes(word?.toLowerCase() ?? '');

/** Words that are tried against an address when it is put right. */
const MAX_TRIED = 40;
/** Words that together may be one part of it: "old mill books". */
const MAX_TOGETHER = 4;

/** An address with the part that was said anew in the place of the one that it is likest to; null where none is like it. */
export function correctedEmail(address: string, message: string): string | null {
  const words =
    asDictated(message)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.slice(0, MAX_TRIED) ?? [];
  const parts: string[] = address.match(/[\p{L}\p{N}]+/gu)?.slice(0, MAX_PARTS) ?? [];
  const tried = words.flatMap((_, at) =>
    Array.from({ length: MAX_TOGETHER }, (__, n) => words.slice(at, at + n + 1)).filter(
      (some) => some.length > 0 && !stopWordsOnly(some.join(' ')) && some.join('').length > 2,
    ),
  );
  const likest = tried
    .flatMap((some) =>
      parts.map((part) => ({ said: some.join(''), part, share: difference(some.join(''), part) })),
    )
    // What stands in the address already puts nothing right.
    .filter(({ said, share }) => share <= MOST_CHANGED && !parts.includes(said))
    .reduce<{ said: string; part: string; share: number } | null>(
      (best, one) => (best === null || one.share < best.share ? one : best),
      null,
    );
  return likest && address.replace(likest.part, likest.said);
}
