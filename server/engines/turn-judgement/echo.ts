import type { TurnTakingLanguage } from '#server/languages/turn-taking';
import type { AgentVoice } from './contract.ts';

/** Letters of what was heard that may differ from what was said: recognition mishears a voice from a loudspeaker. */
const MISHEARD = 0.3;
/** The same where the level already speaks for an echo; of other words three letters in five differ. */
const MISHEARD_QUIET = 0.45;
/** The slowest and fastest a voice reads, in words a second: they bound which words it can have been saying. */
const SLOWEST = 1.7;
const FASTEST = 4.5;
/** How long an echo takes to be heard, recognised and judged, in milliseconds. */
const LATE_MS = 3_000;
/** Shorter than so many letters, a word is an echo only if it is one of the agent's words. */
const SHORT = 5;

/**
 * Whether what was heard is the agent's own voice, come back from the loudspeaker: nearly letter by letter a part of
 * what it was saying at that time. Found by approximate string matching (Sellers 1980).
 * @param words what was recognised
 * @param isLikely other signs speak for it as well: more may be misheard
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

/** Leaves out the agent's words with which something begins that is no louder than its echo. */
export function withoutEcho(
  words: readonly string[],
  agent: AgentVoice,
  language: Pick<TurnTakingLanguage, 'wordsOf' | 'lettersOf'>,
): readonly string[] {
  for (let length = words.length; length > 0; length--)
    if (isEcho(words.slice(0, length), agent, language)) return words.slice(length);
  return words;
}

/** The fewest letters to change, add or drop so that `part` is found somewhere in `whole`. */
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
