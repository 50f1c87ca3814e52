/** A piece of two texts: in both, only in the first, or only in the second. */
export interface Piece {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** The most pairs of pieces compared: two texts of 2,000 lines without anything in common. */
const MAX_PAIRS = 4_000_000;

/**
 * The difference of two lists of pieces, by their longest common subsequence (Wagner and Fischer 1974). If that would
 * take too long, everything between the common beginning and end counts as replaced.
 */
export function difference(before: readonly string[], after: readonly string[]): Piece[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start++;
  let end = 0;
  while (
    end < Math.min(before.length, after.length) - start &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  )
    end++;
  const pieces = (texts: readonly string[], kind: Piece['kind']) => texts.map((text) => ({ kind, text }));
  return [
    ...pieces(before.slice(0, start), 'same'),
    ...inTheMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...pieces(before.slice(before.length - end), 'same'),
  ];
}

function inTheMiddle(before: readonly string[], after: readonly string[]): Piece[] {
  const width = after.length + 1;
  const isTooMuch = before.length * after.length > MAX_PAIRS;
  /** For each pair: length of the longest common subsequence from there on. */
  const lengths = new Uint32Array(isTooMuch ? 0 : (before.length + 1) * width);
  const at = (one: number, other: number) => lengths[one * width + other] ?? 0;
  if (!isTooMuch)
    for (let one = before.length - 1; one >= 0; one--)
      for (let other = after.length - 1; other >= 0; other--)
        lengths[one * width + other] =
          before[one] === after[other]
            ? at(one + 1, other + 1) + 1
            : Math.max(at(one + 1, other), at(one, other + 1));
  const pieces: Piece[] = [];
  let [one, other] = [0, 0];
  while (one < before.length || other < after.length) {
    const [old, young] = [before[one], after[other]];
    if (old !== undefined && old === young && !isTooMuch) {
      pieces.push({ kind: 'same', text: old });
      one++;
      other++;
    } else if (old !== undefined && (young === undefined || at(one + 1, other) >= at(one, other + 1))) {
      pieces.push({ kind: 'gone', text: old });
      one++;
    } else if (young !== undefined) {
      pieces.push({ kind: 'new', text: young });
      other++;
    }
  }
  return pieces;
}

/** A text as lines. */
export const linesOf = (text: string): string[] => text.split(/\r?\n/);

/** A line as words, each with its trailing space. */
export const wordsOf = (line: string): string[] => line.match(/\s+|\S+\s*/g) ?? [];
