/** Nobody speaks faster: eleven tokens a second, and a few more in a very short piece. Fast speech has some seven. */
const TOKENS_PER_SECOND = 11;
const TOKENS_AT_ONCE = 6;
/** A phrase that comes so often in a row is the recognizer's, not the speaker's. */
const REPETITIONS_OF_A_PHRASE = 3;
const REPETITIONS_OF_WORDS = 6;
/** What is said faster than this (tokens a second; the limit of Moonshine's authors) and twice, was said once. */
const HASTY_TOKENS_PER_SECOND = 6.5;
/** From so many words on, a repetition is a phrase. */
const PHRASE_WORDS = 4;
const LONGEST_PHRASE = 16;
/** The same letters and digits three times in a row: a number that is spelled is a single word. */
const CIRCLES_IN_A_WORD = /(.{6,200})\1\1/;

/** More tokens than anybody could say in so many seconds. */
export const tooManyTokens = (seconds: number) =>
  Math.floor(TOKENS_AT_ONCE + TOKENS_PER_SECOND * seconds) + 1;

/**
 * The words of a piece, or what is left of them without what Moonshine makes up: it is known to go round in circles on
 * sounds that are no speech (Jeffries et al. 2024, "Moonshine: Speech Recognition for Live Transcription").
 * @param tokens how many the recognizer put out for it
 * @param seconds length of the piece
 * @returns null for more than anybody could say in that time, and for a word that runs in circles
 */
export function plausibleWords(text: string, tokens: number, seconds: number): string | null {
  if (tokens >= tooManyTokens(seconds)) return null;
  const words = text.replace(/["“”]/g, '').trim().split(/\s+/);
  const isHasty = tokens > HASTY_TOKENS_PER_SECOND * seconds;
  const once = withoutCircles(isHasty ? words.slice(0, periodOf(words)) : words);
  if (isHasty && once.some((word) => CIRCLES_IN_A_WORD.test(bare(word)))) return null;
  const plain = once.join(' ');
  const unquoted = /^'(.*)'$/s.exec(plain)?.[1] ?? plain;
  return /[\p{L}\p{N}]/u.test(unquoted) ? unquoted.trim() : '';
}

/** After how many words (two at least) the whole begins again and goes on the same to its end; all, where it does not. */
function periodOf(words: readonly string[]): number {
  for (let period = 2; period + 2 <= words.length; period++)
    if (isSame(words, 0, period, words.length - period)) return period;
  return words.length;
}

/** Leaves one of every run of equal phrases. */
function withoutCircles(words: readonly string[]): string[] {
  const said: string[] = [];
  for (let at = 0; at < words.length; ) {
    const circle = circleAt(words, at);
    said.push(...words.slice(at, at + circle.length));
    at += circle.length * circle.times;
  }
  return said;
}

/** The shortest phrase that runs in circles from here, and how often; a single word once where there is none. */
function circleAt(words: readonly string[], at: number): { length: number; times: number } {
  for (let length = 1; length <= Math.min(LONGEST_PHRASE, (words.length - at) / 2); length++) {
    const allowed = length >= PHRASE_WORDS ? REPETITIONS_OF_A_PHRASE : REPETITIONS_OF_WORDS;
    let times = 1;
    while (isSame(words, at, at + times * length, length)) times++;
    if (times >= allowed) return { length, times };
  }
  return { length: 1, times: 1 };
}

function isSame(words: readonly string[], a: number, b: number, length: number): boolean {
  if (b + length > words.length) return false;
  for (let index = 0; index < length; index++)
    if (bare(words[a + index] ?? '') !== bare(words[b + index] ?? '')) return false;
  return true;
}

const bare = (word: string) => word.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
