/** What recognition mishears keeps its consonants more or less, and their order: they are compared by how they are made. */
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

/** How words sound, roughly: consonants by where and how they are made, any vowels as "a", no gaps between words. */
function sketch(words: readonly string[]): string {
  let text = words.join(' ').replace(/[^a-z ]/g, '');
  for (const [letters, sound] of classes) text = text.replace(letters, sound);
  return text
    .replace(/([^ ])\1+/g, '$1')
    .replaceAll(' ', '')
    .replace(/a+/g, 'a');
}

/** Sounds that a phrase must have so that one of them may differ: shorter ones are found everywhere. */
const LONG = 6;
/** A phrase of one sound, "oh", is found in anything. */
const SHORTEST = 2;
/** Nobody listens with so many sounds: more of them say something. */
const MOST = 100;

const sketches = new WeakMap<ReadonlySet<string>, readonly string[]>();

/** Whether words sound like one of the phrases, or like several of them one after the other. */
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

/** Whether the whole is phrases one after the other, the long ones with one sound changed, added or dropped. */
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

/** How far a phrase is from each beginning of what was heard (Levenshtein 1966). */
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

/** Whether words have no sound but vowels and "m" or "n", as a hum has: "I'm hem", "Amen.", "my home". */
export const soundsOnlyNasal = (words: readonly string[]): boolean => /^[an]+p?$/.test(sketch(words));
