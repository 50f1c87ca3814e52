import { PATTERN_COUNT, patternsOf } from './patterns.ts';
import { wordsOf } from './words.ts';

/** Number of hash buckets for words and for pieces of words; a power of two. */
export const BUCKETS = 1 << 14;
const SHAPE_COUNT = 8;
/** Features without buckets: the shape of the text, then the patterns. */
export const TRAIT_COUNT = SHAPE_COUNT + PATTERN_COUNT;

const WORDS_WEIGHT = 1.5;
const PATTERN_WEIGHT = 0.7;

/** The classifier's features of a text. All members of a group share one value. */
interface Features {
  /** Buckets of words and word pairs. */
  words: Uint32Array;
  wordValue: number;
  /** Buckets of pieces of 3 to 5 letters, which survive typing errors and inflection. */
  pieces: Uint32Array;
  pieceValue: number;
  /** Every word once, to look it up among the known ones. */
  vocabulary: string[];
  /** Pairs of index and value. */
  traits: [at: number, value: number][];
}

/** Extracts a text's features; the same in training and in use. */
export function featuresOf(text: string): Features {
  const { tokens, written } = wordsOf(text);
  // The addressee of a public message is not a feature.
  if (tokens[0] === '<name>') tokens.shift();
  const words = bucketsOfWords(tokens);
  const pieces = bucketsOfPieces(tokens);
  return {
    words,
    wordValue: WORDS_WEIGHT / Math.sqrt(words.length),
    pieces,
    pieceValue: 1 / Math.sqrt(pieces.length || 1),
    vocabulary: [...new Set(tokens.map(bare))].filter((word) => /^\p{L}/u.test(word)),
    traits: traitsOf(text, tokens, written),
  };
}

/** FNV-1a, 32 bit, with the upper half mixed in, because the lower bits choose the bucket. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash ^ (hash >>> 15)) >>> 0;
}

const bare = (token: string) => (token.startsWith('not_') ? token.slice(4) : token);
const bucketOf = (text: string) => hashOf(text) & (BUCKETS - 1);

function bucketsOfWords(tokens: readonly string[]): Uint32Array {
  const found = new Set<number>();
  let before = '^';
  found.add(bucketOf(before));
  for (const token of [...tokens, '$']) {
    found.add(bucketOf(token));
    found.add(bucketOf(`${before} ${token}`));
    before = token;
  }
  return Uint32Array.from(found);
}

function bucketsOfPieces(tokens: readonly string[]): Uint32Array {
  const found = new Set<number>();
  for (const token of new Set(tokens.map(bare))) {
    const word = `_${token}_`;
    for (let size = 3; size <= 5; size++)
      for (let from = 0; from + size <= word.length; from++)
        found.add(bucketOf(word.slice(from, from + size)));
  }
  return Uint32Array.from(found);
}

function traitsOf(text: string, tokens: readonly string[], written: readonly string[]): [number, number][] {
  const shouted = written.filter(
    (word) => word.length > 2 && word === word.toUpperCase() && /\p{Lu}/u.test(word),
  );
  const shape = [
    1,
    shouted.length / Math.max(4, written.length),
    Math.min(1, tokens.length / 30),
    tokens.length < 4 ? 1 : 0,
    tokens.length < 9 ? 1 : 0,
    Math.min(1, count(text, '!') / 3),
    Math.min(1, count(text, '?') / 2),
    tokens.length > 20 ? 1 : 0,
  ];
  return [
    ...shape.map((value, at): [number, number] => [at, value]),
    ...patternsOf(text).map((at): [number, number] => [SHAPE_COUNT + at, PATTERN_WEIGHT]),
  ];
}

const count = (text: string, mark: string) => text.split(mark).length - 1;
