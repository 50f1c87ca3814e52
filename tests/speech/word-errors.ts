import { cardinal } from '#server/languages/en/spoken/number-words';
/**
 * Normalises words for comparison, so that different spellings of the same speech are equal: lower case, no
 * punctuation, no hesitations, contractions in full, British spelling as American, and every number as its digits, one
 * word each ("$14.00" and "fourteen dollars" are `1 4 dollars`). Applied to both sides.
 */
export function wordsOf(text: string): string[] {
  const plain = text
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .replace(
      /([$£€])\s?(\d[\d,]*(?:\.\d+)?)/g,
      (_, sign: string, amount: string) => `${amount.replace(/\.00$/, '')} ${currencies[sign] ?? ''}`,
    )
    .replace(/(\d),(?=\d{3}\b)/g, '$1')
    .replace(/%/g, ' percent ')
    .replace(/(\d)\.(\d)/g, '$1 $2')
    .replace(/\b(\d{1,2}):(\d{2})\b/g, '$1 $2')
    .replace(/@/g, ' at ')
    .replace(/(\w)_(\w)/g, '$1 underscore $2')
    .replace(/(\w)\.(com|org|net)\b/g, '$1 dot $2')
    .replace(/(?<=\d)(?:st|nd|rd|th)\b/g, ' th')
    .replace(/(\d)([a-z])/g, '$1 $2')
    .replace(/([a-z])(\d)/g, '$1 $2')
    .replace(/\b([ap])\.m\.?/g, '$1m')
    .replace(/\bto-(?=night|day|morrow)/g, 'to')
    .replace(/-/g, ' ')
    .replace(/[^a-z0-9' ]/g, ' ');
  const words = plain
    .split(/\s+/)
    .map((word) => word.replace(/^'+|'+$/g, ''))
    .filter((word) => word !== '')
    .flatMap((word) => (contractions[word] ?? endings(word)).split(' '))
    .map((word) => spellings[word] ?? word)
    .filter((word) => !hesitations.has(word));
  return numbersAsDigits(words);
}

/** Edits (Levenshtein, by words) between the recognised and the spoken text, and the number of spoken words. */
export function wordErrors(said: string, heard: string): { errors: number; words: number } {
  const wanted = wordsOf(said);
  const got = wordsOf(heard);
  let row = Array.from({ length: got.length + 1 }, (_, index) => index);
  wanted.forEach((word, index) => {
    const next = [index + 1];
    got.forEach((other, column) => {
      next.push(
        Math.min(
          (row[column] ?? 0) + (word === other ? 0 : 1),
          (row[column + 1] ?? 0) + 1,
          (next[column] ?? 0) + 1,
        ),
      );
    });
    row = next;
  });
  return { errors: row[got.length] ?? 0, words: wanted.length };
}

/**
 * Share of the spoken words that were recognised in order, ignoring additional ones: 0 to 1. Recognition misses a word
 * now and then, so a test requires most words, not one particular word.
 */
export function shareHeard(said: string, heard: string): number {
  const wanted = wordsOf(said);
  const got = wordsOf(heard);
  // Longest common subsequence: row[n] is its length among the first n recognised words.
  let row = got.map(() => 0).concat(0);
  for (const word of wanted) {
    const next = [0];
    got.forEach((other, column) => {
      next.push(word === other ? (row[column] ?? 0) + 1 : Math.max(row[column + 1] ?? 0, next[column] ?? 0));
    });
    row = next;
  }
  return (row.at(-1) ?? 0) / wanted.length;
}

const currencies: Record<string, string> = { $: 'dollars', '£': 'pounds', '€': 'euros' };
const hesitations = new Set(['um', 'uh', 'er', 'erm', 'ah', 'hm', 'hmm', 'mm', 'mhm']);

const contractions: Record<string, string> = {
  "can't": 'cannot',
  "won't": 'will not',
  "let's": 'let us',
  gonna: 'going to',
  wanna: 'want to',
  okay: 'ok',
  mr: 'mister',
  mrs: 'missus',
  dr: 'doctor',
  st: 'street',
  alright: 'all right',
};

/**
 * "it's" becomes "it is" even where it means "it has": on both sides. "someone else's" loses its mark and keeps its s.
 */
function endings(word: string): string {
  const full = /^(it|that|what|there|he|she|who|where|how|here)'s$/.exec(word);
  if (full) return `${full[1]} is`;
  return word
    .replace(/n't$/, ' not')
    .replace(/'re$/, ' are')
    .replace(/'ve$/, ' have')
    .replace(/'ll$/, ' will')
    .replace(/'d$/, ' would')
    .replace(/^i'm$/, 'i am')
    .replaceAll("'", '');
}

const spellings: Record<string, string> = {
  colour: 'color',
  grey: 'gray',
  neighbour: 'neighbor',
  cancelled: 'canceled',
  programme: 'program',
  favourite: 'favorite',
};

const ones = Array.from({ length: 20 }, (_, value) => cardinal(value));
const tens = Array.from({ length: 8 }, (_, index) => cardinal(10 * (index + 2)));
const ordinals: Record<string, string> = {
  first: '1',
  second: '2',
  third: '3',
  fourth: '4',
  fifth: '5',
  sixth: '6',
  seventh: '7',
  eighth: '8',
  ninth: '9',
  tenth: '10',
  twelfth: '12',
};

/**
 * "twenty five" is 2 5, "a hundred and forty three" 1 4 3, "nineteen eighty four" 1 9 8 4, "472" 4 7 2, "third" and
 * "3 th" 3: the digits that a person would write down, one word each.
 */
function numbersAsDigits(words: readonly string[]): string[] {
  const result: string[] = [];
  let index = 0;
  const numberAt = (at: number): number | null => {
    const word = words[at] ?? '';
    const one = ones.indexOf(word);
    if (one >= 0) return one;
    const ten = tens.indexOf(word);
    return ten >= 0 ? (ten + 2) * 10 : null;
  };
  const upToNinetyNine = (): number | null => {
    const first = numberAt(index);
    if (first === null) return null;
    index++;
    const second = numberAt(index);
    if (first >= 20 && second !== null && second > 0 && second < 10) {
      index++;
      return first + second;
    }
    return first;
  };
  while (index < words.length) {
    const word = words[index] ?? '';
    if (/^\d+$/.test(word)) {
      result.push(...word);
      index++;
      if (words[index] === 'th') index++;
      continue;
    }
    const isAHundred = word === 'a' && words[index + 1] === 'hundred';
    const start = isAHundred ? 1 : numberAt(index);
    if (start === null) {
      const ordinal = ordinals[word];
      result.push(...(ordinal ?? [word]));
      index++;
      continue;
    }
    if (isAHundred) index++;
    let value = isAHundred ? 1 : (upToNinetyNine() ?? 0);
    if (words[index] === 'hundred') {
      index++;
      const after = words[index] === 'and' && numberAt(index + 1) !== null ? index + 1 : index;
      if (numberAt(after) !== null) {
        index = after;
        value = value * 100 + (upToNinetyNine() ?? 0);
      } else value *= 100;
    }
    result.push(...String(value));
  }
  return result;
}
