import { type Sentiment, sentiments } from '#shared/conversations';
import type { MessageSentiment } from './contract.ts';
import { isEnglish } from './english.ts';
import { BUCKETS, featuresOf, hashOf, TRAIT_COUNT } from './features.ts';

const CLASSES = sentiments.length;
/** The score of a label given because nothing can be said. */
const UNDECIDED = 0.5;

/** Weights of one group of features: `CLASSES` numbers each, in 1/127 of `scale`. */
export interface WeightTable {
  scale: number;
  weights: Int8Array;
}

/** What training makes: a softmax regression, rounded to bytes. */
export interface ModelData {
  words: WeightTable;
  pieces: WeightTable;
  traits: WeightTable;
  /** What similar words are worth: weights of known words, folded from word vectors, in the order of `knownHashes`. */
  known: WeightTable;
  knownHashes: Uint32Array;
}

/** Scores a text under every label. Takes a few tens of microseconds for a usual message. */
export class SentimentModel {
  readonly #data: ModelData;
  readonly #places: Map<number, number>;

  constructor(data: ModelData) {
    this.#data = data;
    this.#places = new Map(Array.from(data.knownHashes, (hash, place) => [hash, place]));
  }

  classify(text: string): MessageSentiment {
    if (!text.trim()) return { label: 'neutral', score: UNDECIDED };
    const { words, pieces, traits, known } = this.#data;
    const features = featuresOf(text);
    const places = features.vocabulary.flatMap((word) => this.#places.get(hashOf(word)) ?? []);
    if (!isEnglish(features.vocabulary, places.length)) return { label: 'neutral', score: UNDECIDED };
    const sums = new Float64Array(CLASSES);
    for (const at of features.words) add(sums, words, at, features.wordValue);
    for (const at of features.pieces) add(sums, pieces, at, features.pieceValue);
    for (const [at, value] of features.traits) add(sums, traits, at, value);
    for (const at of places) add(sums, known, at, 1 / Math.sqrt(places.length));
    return strongest(sums);
  }
}

function add(sums: Float64Array, { scale, weights }: WeightTable, at: number, value: number): void {
  const factor = (value * scale) / 127;
  for (let c = 0; c < CLASSES; c++) sums[c] = (sums[c] ?? 0) + (weights[at * CLASSES + c] ?? 0) * factor;
}

function strongest(sums: Float64Array): MessageSentiment {
  const most = Math.max(...sums);
  const parts = Array.from(sums, (sum) => Math.exp(sum - most));
  const label: Sentiment = sentiments[sums.indexOf(most)] ?? 'neutral';
  const score = 1 / parts.reduce((total, part) => total + part, 0);
  return { label, score: Math.round(score * 1e4) / 1e4 };
}

const TABLES = ['words', 'pieces', 'traits', 'known'] as const;
const MAGIC = 0x31544e53;

/** The file's bytes: mark, number of known words, their hashes, then each table's scale and weights. Little-endian. */
export function writeModel(data: ModelData): Uint8Array {
  const size = 8 + data.knownHashes.length * 4;
  const bytes = new Uint8Array(TABLES.reduce((sum, name) => sum + 4 + data[name].weights.length, size));
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, data.knownHashes.length, true);
  for (const [i, hash] of data.knownHashes.entries()) view.setUint32(8 + i * 4, hash, true);
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

/** @throws Error when the bytes are not a model of this program */
export function readModel(bytes: Uint8Array): ModelData {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const count = bytes.length >= 8 ? view.getUint32(4, true) : 0;
  const sizes = { words: BUCKETS, pieces: BUCKETS, traits: TRAIT_COUNT, known: count };
  const expected = TABLES.reduce((sum, name) => sum + 4 + sizes[name] * CLASSES, 8 + count * 4);
  if (bytes.length !== expected || view.getUint32(0, true) !== MAGIC)
    throw new Error('The sentiment model does not fit this program; train it again.');
  const knownHashes = Uint32Array.from({ length: count }, (_, i) => view.getUint32(8 + i * 4, true));
  let at = 8 + count * 4;
  const table = (name: (typeof TABLES)[number]): WeightTable => {
    const length = sizes[name] * CLASSES;
    const weights = Int8Array.from(bytes.subarray(at + 4, at + 4 + length));
    const scale = view.getFloat32(at, true);
    at += 4 + length;
    return { scale, weights };
  };
  return {
    knownHashes,
    words: table('words'),
    pieces: table('pieces'),
    traits: table('traits'),
    known: table('known'),
  };
}
