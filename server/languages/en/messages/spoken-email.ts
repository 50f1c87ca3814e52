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

/** "Jo dot smith at lantern works dot test": an address as it is said or heard; undefined where none is. */
export function spokenEmail(text: string): string | undefined {
  const words = text.match(/[\p{L}\p{N}'’._+-]+|[,;:!?]/gu)?.slice(0, 400) ?? [];
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
const written = (word: string) => {
  const digit = digits.indexOf(word.toLowerCase());
  return digit < 0 ? plain(word) : String(digit);
};

/** Up to two words and then "dot" and another, once or more: "lantern works dot co dot test". */
function hostFrom(words: readonly string[], from: number): string | null {
  let host = '';
  let at = from;
  for (; at < from + 3 && isPart(words[at]) && !joiner(words[at]); at++) host += plain(words[at]);
  if (!host) return null;
  let dots = (host.match(/\.\p{L}{2,}$/u) ?? []).length;
  while (at < from + MAX_PARTS && joiner(words[at]) && isPart(words[at + 1])) {
    const mark = joiner(words[at]) ?? '';
    host += `${mark}${plain(words[at + 1])}`;
    if (mark === '.') dots++;
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
    local = `${isDoubled ? written(word).repeat(2) : written(word)}${local}`;
    if (isDoubled) at--;
    const mark = joiner(words[at - 1]);
    if (mark && isPart(words[at - 2])) {
      local = `${mark}${local}`;
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
