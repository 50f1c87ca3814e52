/** Largest share of a word that may differ from a spelled or repeated one. */
export const MOST_CHANGED = 0.4;

/** Difference of two words, 0 to 1: Levenshtein distance relative to the longer word, ignoring case. */
export const difference = (one: string, other: string): number =>
  distance(one.toLowerCase(), other.toLowerCase()) / Math.max(one.length, other.length, 1);

/** Levenshtein's distance. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, n) => n);
  for (const [i, letter] of [...one.slice(0, 40)].entries()) {
    const next = [i + 1];
    for (let j = 0; j < other.length; j++)
      next.push(
        Math.min((row[j] ?? 0) + (letter === other[j] ? 0 : 1), (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1),
      );
    row = next;
  }
  return row.at(-1) ?? 0;
}
