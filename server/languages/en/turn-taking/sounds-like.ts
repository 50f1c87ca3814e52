/**
 * Misrecognised words mostly keep their consonants in order, so words are compared by how the consonants are
 * made.
 */
const classes: readonly (readonly [RegExp, string])[] = [
  [/wr/g, 'r'],
  [/\bkn/g, 'n'],
  [/gh/g, ''],
  [/ph/g, 'f'],
  [/ck/g, 'k'],
  [/tch|ch/g, 's'],
  [/qu/g, 'k'],
  [/c(?=[eiy])/g, 's'],
  [/sh|[sz]/g, 's'],
  [/x/g, 'ks'],
  [/th|[td]/g, 't'],
  [/[cgkq]/g, 'k'],
  [/[bp]/g, 'p'],
  [/[fv]/g, 'f'],
  [/ng|[mn]/g, 'n'],
  [/(?<=[^aeiou\s]{1})e\b/g, ''],
  [/[aeiouyhw]+/g, 'a'],
];

/**
 * A rough sketch of sounds: consonants by place and manner, all vowels as "a", without gaps between words.
 */
function sketch(words: readonly string[]): string {
  let text = words.join(' ').replace(/[^a-z ]/g, '');
  for (const [letters, sound] of classes) text = text.replace(letters, sound);
  return text
    .replace(/([^ ])\1+/g, '$1')
    .replaceAll(' ', '')
    .replace(/a+/g, 'a');
}

/** Sounds of a phrase above which one may differ: shorter ones would match everywhere. */
const LONG = 6;
/** A phrase of one sound, "oh", would match anything. */
const SHORTEST = 2;
/** Longer sounds are not a back-channel. */
const MOST = 100;

const sketches = new WeakMap<ReadonlySet<string>, readonly string[]>();

/** Whether words sound like one of the phrases, or several in a row. */
export function soundsLike(words: readonly string[], phrases: ReadonlySet<string>): boolean {
  const heard = sketch(words);
  if (heard === '' || heard.length > MOST) return false;
  let known = sketches.get(phrases);
  if (!known) {
    known = [...new Set([...phrases].map((phrase) => sketch(phrase.split(' '))))].filter(
      (one) => one.length >= SHORTEST,
    );
    sketches.set(phrases, known);
  }
  return isCovered(heard, known);
}

/** Whether the whole consists of phrases in a row, long ones with one sound changed, added or dropped. */
function isCovered(heard: string, phrases: readonly string[]): boolean {
  const ends = new Set([0]);
  for (let start = 0; start < heard.length; start++) {
    if (!ends.has(start)) continue;
    for (const phrase of phrases)
      distances(phrase, heard.slice(start, start + phrase.length + 1)).forEach((cost, length) => {
        if (cost === 0 || (cost === 1 && phrase.length >= LONG)) ends.add(start + length);
      });
  }
  return ends.has(heard.length);
}

/** Distance of a phrase to each beginning of the recognised sounds (Levenshtein 1966). */
function distances(phrase: string, heard: string): number[] {
  let row = Array.from({ length: heard.length + 1 }, (_, index) => index);
  for (let i = 1; i <= phrase.length; i++) {
    const next = [i];
    for (let j = 1; j <= heard.length; j++) {
      const changed = (row[j - 1] ?? 0) + (phrase[i - 1] === heard[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row;
}

/** Whether words sound only of vowels and "m" or "n", like a hum: "I'm hem", "Amen.", "my home". */
export const soundsOnlyNasal = (words: readonly string[]): boolean => /^[an]+p?$/.test(sketch(words));
