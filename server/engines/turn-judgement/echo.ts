import type { TurnTakingLanguage } from '#server/languages/turn-taking';
import type { AgentVoice } from './contract.ts';

/**
 * Share of letters that may differ between echo and agent's words: recognition mishears a voice from a
 * loudspeaker.
 */
const MISHEARD = 0.3;
/** The same if the level also suggests an echo; with other words three letters in five differ. */
const MISHEARD_QUIET = 0.45;
/**
 * Slowest and fastest reading speed, in words per second: they bound which words the voice can have been
 * saying.
 */
const SLOWEST = 1.7;
const FASTEST = 4.5;
/** Delay until an echo is received, recognised and judged, in milliseconds. */
const LATE_MS = 3_000;
/** A word with fewer letters counts as an echo only if it exactly equals one of the agent's words. */
const SHORT = 5;

/**
 * Whether recognised words are the agent's own voice from the loudspeaker: nearly letter by letter a part of
 * what it was saying at that time. Uses approximate string matching (Sellers 1980).
 * @param words the recognised words
 * @param isLikely other signs suggest an echo as well, so more letters may differ
 */
export function isEcho(
  words: readonly string[],
  { text, spokenMs }: AgentVoice,
  { wordsOf, lettersOf }: Pick<TurnTakingLanguage, 'wordsOf' | 'lettersOf'>,
  isLikely = false,
): boolean {
  const said = wordsOf(text);
  const seconds = (ms: number) => Math.max(0, ms) / 1_000;
  const spoken = said.slice(
    Math.floor(Math.max(0, seconds(spokenMs - LATE_MS) * SLOWEST - words.length)),
    Math.ceil(seconds(spokenMs) * FASTEST) + 2,
  );
  const letters = lettersOf(words);
  if (letters.length === 0) return false;
  const misheard = isLikely && words.length >= 3 ? MISHEARD_QUIET : MISHEARD;
  if (letters.length < SHORT) return words.length === 1 && spoken.includes(words[0] ?? '');
  return leastDistance(letters, lettersOf(spoken)) <= Math.floor(letters.length * misheard);
}

/** Removes the agent's words from the beginning of an utterance that is no louder than its echo. */
export function withoutEcho(
  words: readonly string[],
  agent: AgentVoice,
  language: Pick<TurnTakingLanguage, 'wordsOf' | 'lettersOf'>,
): readonly string[] {
  for (let length = words.length; length > 0; length--)
    if (isEcho(words.slice(0, length), agent, language)) return words.slice(length);
  return words;
}

/** Fewest letters to change, add or drop so that `part` occurs somewhere in `whole`. */
function leastDistance(part: string, whole: string): number {
  let row = new Array<number>(whole.length + 1).fill(0);
  for (let i = 1; i <= part.length; i++) {
    const next = [i];
    for (let j = 1; j <= whole.length; j++) {
      const changed = (row[j - 1] ?? 0) + (part[i - 1] === whole[j - 1] ? 0 : 1);
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return Math.min(...row);
}
