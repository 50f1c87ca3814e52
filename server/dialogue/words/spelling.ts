/**
 * Distance of two words in single edits, neighbours swapped counting as one (optimal string alignment);
 * stops counting beyond `limit` and then answers `limit + 1`.
 */
export function editDistance(a: string, b: string, limit: number): number {
  if (Math.abs(a.length - b.length) > limit) return limit + 1;
  let before: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      if (cost < least) least = cost;
    }
    if (least > limit) return limit + 1;
    before = last;
    last = row;
  }
  return last[b.length] ?? limit + 1;
}

/** The likeliest word of a vocabulary for a mistyped one, or null when none is near. `rankOf` breaks ties, lower first. */
export function nearestWord(
  word: string,
  vocabulary: Iterable<string>,
  rankOf: (word: string) => number,
): string | null {
  if (word.length < 4 || /\d/.test(word)) return null;
  const limit = word.length >= 8 ? 2 : 1;
  let best: { word: string; score: number } | null = null;
  for (const candidate of vocabulary) {
    if (candidate.length < 4 || candidate[0] !== word[0]) {
      // A wrong first letter is rare, except swapped with the second.
      if (!(candidate[0] === word[1] && candidate[1] === word[0])) continue;
    }
    const distance = editDistance(word, candidate, limit);
    if (distance > limit) continue;
    const score = distance * 100_000 + rankOf(candidate);
    if (!best || score < best.score) best = { word: candidate, score };
  }
  return best?.word ?? null;
}
