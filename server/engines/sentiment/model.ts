import type { Sentiment } from '#shared/conversations';
import { sentiments } from '#shared/sentiments';
import type { MessageSentiment } from './contract.ts';
import { BUCKETS, featuresOf, hashOf, TRAIT_COUNT } from './features.ts';
import { trainedFor } from './trained-for.ts';

const CLASSES = sentiments.length;
/** Score of a label that was given because nothing is known. */
const UNDECIDED = 0.5;
/**
 * Above this score, meaning hardly changed a label in the test sets; more than half of all messages skip it.
 */
const SURE = 0.7;
/**
 * Numbers of a vector that the model uses: those of the first encoder. The second encoder's brought no gain.
 */
const VECTOR_SIZE = 384;
/** Vectors have at most length one; scales them to about the size of the sums. */
const VECTOR_WEIGHT = 8;
/** Inputs of the decision by meaning: the sums of the words, the vector, and a constant. */
export const MEANING_SIZE = CLASSES + VECTOR_SIZE + 1;

/** Weights of one feature group: `CLASSES` numbers per feature, in 1/127 of `scale`. */
export interface WeightTable {
  scale: number;
  weights: Int8Array;
}

/** The result of training: two softmax regressions, rounded to bytes. */
export interface ModelData {
  words: WeightTable;
  pieces: WeightTable;
  traits: WeightTable;
  /**
   * Weights of known words, computed from word vectors so that similar words get similar weights; in the
   * order of `knownHashes`.
   */
  known: WeightTable;
  knownHashes: Uint32Array;
  /** Decides again where words are inconclusive, over `meaningFeatures`. */
  meaning: WeightTable;
  /** Hash of the reading engine's `revision`: other vectors cannot be used. */
  revisionHash: number;
}

/** The result by words alone. */
export interface FirstImpression {
  answer: MessageSentiment;
  /** One sum per label before softmax; null if nothing is known. */
  sums: number[] | null;
}

/** Scores a text for every label, in a few tens of microseconds for a usual message. */
export class SentimentModel {
  readonly #data: ModelData;
  readonly #places: Map<number, number>;

  constructor(data: ModelData) {
    this.#data = data;
    this.#places = new Map(Array.from(data.knownHashes, (hash, place) => [hash, place]));
  }

  /** Classifies by words alone. */
  first(text: string): FirstImpression {
    if (!text.trim()) return { answer: { label: 'neutral', score: UNDECIDED }, sums: null };
    const { words, pieces, traits, known } = this.#data;
    const features = featuresOf(text);
    const places = features.vocabulary.flatMap((word) => this.#places.get(hashOf(word)) ?? []);
    if (!trainedFor.isWrittenIn(features.vocabulary, places.length))
      return { answer: { label: 'neutral', score: UNDECIDED }, sums: null };
    const sums = new Array<number>(CLASSES).fill(0);
    for (const at of features.words) add(sums, words, at, features.wordValue);
    for (const at of features.pieces) add(sums, pieces, at, features.pieceValue);
    for (const [at, value] of features.traits) add(sums, traits, at, value);
    for (const at of places) add(sums, known, at, 1 / Math.sqrt(places.length));
    return { answer: strongest(sums), sums };
  }

  /** Whether a vector of that revision could change the result. */
  needsMeaning({ answer, sums }: FirstImpression, revision: string): boolean {
    return sums !== null && answer.score < SURE && this.#data.revisionHash === hashOf(revision);
  }

  /** Classifies by the words' sums and the text's vector. */
  withMeaning(sums: readonly number[], vector: Float32Array): MessageSentiment {
    const totals = new Array<number>(CLASSES).fill(0);
    for (const [at, value] of meaningFeatures(sums, vector).entries())
      add(totals, this.#data.meaning, at, value);
    return strongest(totals);
  }
}

/** Inputs of the regression over meaning: `MEANING_SIZE` numbers. */
export function meaningFeatures(sums: readonly number[], vector: Float32Array): Float32Array {
  const values = new Float32Array(MEANING_SIZE);
  values.set(sums);
  for (let k = 0; k < VECTOR_SIZE; k++) values[CLASSES + k] = (vector[k] ?? 0) * VECTOR_WEIGHT;
  values[MEANING_SIZE - 1] = 1;
  return values;
}

function add(sums: number[], { scale, weights }: WeightTable, at: number, value: number): void {
  const factor = (value * scale) / 127;
  for (let c = 0; c < CLASSES; c++) sums[c] = (sums[c] ?? 0) + (weights[at * CLASSES + c] ?? 0) * factor;
}

/** Probability of one label, 0 to 1, from a sum per label. */
export function chanceOf(label: Sentiment, sums: readonly number[]): number {
  const own = sums[sentiments.indexOf(label)] ?? 0;
  return 1 / sums.reduce((total, sum) => total + Math.exp(sum - own), 0);
}

function strongest(sums: readonly number[]): MessageSentiment {
  const most = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - most));
  const label: Sentiment = sentiments[sums.indexOf(most)] ?? 'neutral';
  const score = 1 / parts.reduce((total, part) => total + part, 0);
  return { label, score: Math.round(score * 1e4) / 1e4 };
}

const TABLES = ['words', 'pieces', 'traits', 'known', 'meaning'] as const;
const MAGIC = 0x32544e53;
const HEAD = 12;

/**
 * The file's bytes, little-endian: mark, number of known words, the reading engine's revision, the words'
 * hashes, then each table's scale and weights.
 */
export function writeModel(data: ModelData): Uint8Array {
  const size = HEAD + data.knownHashes.length * 4;
  const bytes = new Uint8Array(TABLES.reduce((sum, name) => sum + 4 + data[name].weights.length, size));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, data.knownHashes.length, true);
  view.setUint32(8, data.revisionHash, true);
  for (const [i, hash] of data.knownHashes.entries()) view.setUint32(HEAD + i * 4, hash, true);
  let at = size;
  for (const name of TABLES) {
    view.setFloat32(at, data[name].scale, true);
    bytes.set(
      new Uint8Array(data[name].weights.buffer, data[name].weights.byteOffset, data[name].weights.length),
      at + 4,
    );
    at += 4 + data[name].weights.length;
  }
  return bytes;
}

/** @throws Error if the bytes are not a model for this program */
export function readModel(bytes: Uint8Array): ModelData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= HEAD ? view.getUint32(4, true) : 0;
  const sizes = { words: BUCKETS, pieces: BUCKETS, traits: TRAIT_COUNT, known: count, meaning: MEANING_SIZE };
  const expected = TABLES.reduce((sum, name) => sum + 4 + sizes[name] * CLASSES, HEAD + count * 4);
  if (bytes.length !== expected || view.getUint32(0, true) !== MAGIC)
    throw new Error('The sentiment model does not fit this program; train it again.');
  const knownHashes = Uint32Array.from({ length: count }, (_, i) => view.getUint32(HEAD + i * 4, true));
  let at = HEAD + count * 4;
  const table = (name: (typeof TABLES)[number]): WeightTable => {
    const length = sizes[name] * CLASSES;
    const weights = Int8Array.from(bytes.subarray(at + 4, at + 4 + length));
    const scale = view.getFloat32(at, true);
    at += 4 + length;
    return { scale, weights };
  };
  return {
    knownHashes,
    revisionHash: view.getUint32(8, true),
    words: table('words'),
    pieces: table('pieces'),
    traits: table('traits'),
    known: table('known'),
    meaning: table('meaning'),
  };
}
