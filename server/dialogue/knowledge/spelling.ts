import type { Words } from '#server/languages/contract';

/** Shorter words are one letter from too many others. */
const MIN_LENGTH = 5;
const wordPattern = /(?<![\p{L}\p{N}@._'’-])\p{L}{5,40}(?![\p{L}\p{N}@_'’-]|\.\p{L})/gu;

/**
 * Makes a function that corrects typing errors in customers' texts: an unknown word that is nowhere in the business's
 * texts becomes the one word of theirs that is a single error away ("delivry", "warrenty"). With several candidates it
 * stays.
 * @param texts of the business; read once there is an unknown word
 * @param isKnown whether a word, in lower case, is one of the language
 */
export function spellingOf(
  texts: () => Iterable<string>,
  { termsOf }: Pick<Words, 'termsOf'>,
  isKnown: (word: string) => boolean,
): (text: string) => string {
  const stemOf = (word: string) => termsOf(word)[0] ?? word;
  let written: WrittenWords | null = null;
  const meant = (word: string): string | null => {
    // Of "washes" only "wash" may be known.
    const stem = stemOf(word);
    if (isKnown(word) || isKnown(stem)) return null;
    written ??= wordsIn(texts(), stemOf);
    if (written.stems.has(stem)) return null;
    // The first letter is right, or swapped with the second.
    const { byLetter } = written;
    const possible = [...new Set(word.slice(0, 2))].flatMap((letter) => [...(byLetter.get(letter) ?? [])]);
    const near = possible.filter(([other]) => isOneSlip(word, other));
    const [first] = near;
    return first && near.every(([, other]) => other === first[1]) ? first[0] : null;
  };
  return (text) =>
    text.replace(wordPattern, (typed) => {
      const read = meant(typed.toLowerCase());
      if (!read) return typed;
      return typed === typed.toLowerCase() ? read : read.slice(0, 1).toUpperCase() + read.slice(1);
    });
}

interface WrittenWords {
  /** By their first letter, each with its stem. */
  byLetter: ReadonlyMap<string, ReadonlyMap<string, string>>;
  stems: ReadonlySet<string>;
}

function wordsIn(texts: Iterable<string>, stemOf: (word: string) => string): WrittenWords {
  const byLetter = new Map<string, Map<string, string>>();
  const stems = new Set<string>();
  for (const text of texts)
    for (const [written] of text.matchAll(wordPattern)) {
      const word = written.toLowerCase();
      const alike = byLetter.get(word.slice(0, 1)) ?? new Map<string, string>();
      byLetter.set(word.slice(0, 1), alike);
      if (alike.has(word)) continue;
      const stem = stemOf(word);
      alike.set(word, stem);
      stems.add(stem);
    }
  return { byLetter, stems };
}

/** Whether one letter is missing, added or wrong, or two neighbours are swapped. */
function isOneSlip(word: string, other: string): boolean {
  if (other.length < MIN_LENGTH || Math.abs(word.length - other.length) > 1) return false;
  let start = 0;
  while (start < word.length && word[start] === other[start]) start++;
  const rest = word.slice(start);
  const right = other.slice(start);
  if (rest.slice(1) === right.slice(1) || rest.slice(1) === right || rest === right.slice(1)) return true;
  return rest[0] === right[1] && rest[1] === right[0] && rest.slice(2) === right.slice(2);
}
