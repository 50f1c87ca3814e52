/**
 * Upper limit of speech: eleven tokens a second, and a few more in a very short piece. Fast speech has some
 * seven.
 */
const TOKENS_PER_SECOND = 11;
const TOKENS_AT_ONCE = 6;
/** A phrase repeated this often in a row was made up by the recognizer. */
const REPETITIONS_OF_A_PHRASE = 3;
const REPETITIONS_OF_WORDS = 6;
/**
 * Text that is faster than this (tokens a second; the limit of Moonshine's authors) and doubled was said
 * once.
 */
const HASTY_TOKENS_PER_SECOND = 6.5;
/** A repetition of at least this many words counts as a phrase. */
const PHRASE_WORDS = 4;
const LONGEST_PHRASE = 16;
/** The same letters and digits three times in a row: a spelled number is a single word. */
const CIRCLES_IN_A_WORD = /(.{6,200})\1\1/;

/** Most tokens that fit into so many seconds of speech. */
export const tooManyTokens = (seconds: number) =>
  Math.floor(TOKENS_AT_ONCE + TOKENS_PER_SECOND * seconds) + 1;

/**
 * Removes what Moonshine makes up in a piece: it may repeat itself on sounds that are not speech (Jeffries et
 * al. 2024, "Moonshine: Speech Recognition for Live Transcription").
 * @param tokens number of tokens that the recognizer put out
 * @param seconds length of the piece
 * @returns the plausible words; null for more than fits into that time, and for a word that repeats itself
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

/**
 * The number of words (at least two) after which the text repeats itself to its end; all words if it does
 * not.
 */
function periodOf(words: readonly string[]): number {
  for (let period = 2; period + 2 <= words.length; period++)
    if (isSame(words, 0, period, words.length - period)) return period;
  return words.length;
}

/** Reduces every run of equal phrases to one. */
function withoutCircles(words: readonly string[]): string[] {
  const said: string[] = [];
  for (let at = 0; at < words.length; ) {
    const circle = circleAt(words, at);
    said.push(...words.slice(at, at + circle.length));
    at += circle.length * circle.times;
  }
  return said;
}

/** The shortest repeating phrase from here, and its count; a single word once if there is none. */
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
