import { wordsOf } from './ending.ts';

/** The share of heard words that must be the agent's own, in its order. */
const ECHO_SHARE = 0.75;
/** Nobody, and no voice, says more words in a second: words further on cannot have left the loudspeaker yet. */
const MOST_WORDS_PER_SECOND = 5;

/**
 * Whether what was heard is the agent's own voice, come back from the loudspeaker: nearly word by word a part of what
 * it was saying. Recognition mishears an echo, so that words may differ by a letter or two and some may be missing.
 * @param spokenMs how long the agent has been saying it
 */
export function isEcho(heard: string, agentText: string, spokenMs: number): boolean {
  const words = wordsOf(heard.toLowerCase());
  if (words.length === 0) return false;
  const reached = Math.ceil((spokenMs / 1000) * MOST_WORDS_PER_SECOND) + 3;
  const spoken = wordsOf(agentText.toLowerCase()).slice(0, reached);
  return longestCommonRun(words, spoken) >= Math.max(1, Math.ceil(words.length * ECHO_SHARE));
}

/** The most words of `heard` that are found in order within a stretch of `spoken` little longer than `heard`. */
function longestCommonRun(heard: readonly string[], spoken: readonly string[]): number {
  const span = heard.length + 2 + Math.floor(heard.length / 4);
  let best = 0;
  for (let from = 0; from === 0 || from + heard.length <= spoken.length; from++)
    best = Math.max(best, commonInOrder(heard, spoken.slice(from, from + span)));
  return best;
}

function commonInOrder(a: readonly string[], b: readonly string[]): number {
  let row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    const next = [0];
    for (const [index, other] of b.entries())
      next.push(alike(word, other) ? (row[index] ?? 0) + 1 : Math.max(row[index + 1] ?? 0, next[index] ?? 0));
    row = next;
  }
  return row.at(-1) ?? 0;
}

/** The same word, or one that a mishearing made of it. */
function alike(a: string, b: string): boolean {
  if (a === b) return true;
  if (Math.min(a.length, b.length) < 4) return false;
  const start = Math.ceil(Math.min(a.length, b.length) * 0.6);
  return Math.abs(a.length - b.length) <= 3 && a.slice(0, start) === b.slice(0, start);
}
