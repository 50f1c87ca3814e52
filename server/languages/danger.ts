import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Danger } from './messages.ts';

/** Kinds of danger, by their place in the model; before them stands "none". */
export const dangers: readonly Danger[] = ['danger', 'injury', 'despair', 'violence'];
const CLASSES = dangers.length + 1;
/** The numbers of a vector, and 1. */
export const SIZE = 769;

/** What a vector says of danger. */
interface Seen {
  /** How likely somebody is in danger, 0 to 1. */
  chance: number;
  /** The kind that it would be. */
  kind: Danger;
}

/** Chance from which what a text means is danger by itself, and from which it is where its words say so, too. */
export const BY_MEANING = 0.71;
const WITH_WORDS = 0.1;
/** The same of a sentence without those around it, which may have said that it is long past, or no more than a manner of speaking. */
const BY_ITSELF = 0.9;

/**
 * Whether somebody is in danger.
 * @param byWords what the rules of the language say
 * @param seen what the message means, and then its sentences, each by itself; none where nothing can be read: then the words
 *   alone decide
 */
export function decideDanger(byWords: Danger | null, [whole, ...sentences]: readonly Seen[]): Danger | null {
  if (!whole) return byWords;
  if (byWords)
    return Math.max(whole.chance, ...sentences.map(({ chance }) => chance)) >= WITH_WORDS ? byWords : null;
  if (whole.chance >= BY_MEANING) return whole.kind;
  return sentences.find(({ chance }) => chance >= BY_ITSELF)?.kind ?? null;
}

/** Sentences at the end that are read by themselves, too, and the characters in which they are looked for. */
const MAX_SENTENCES = 4;
const MAX_END = 600;

/**
 * The sentences of a message that are read for danger beside the whole: of several the last ones, since somebody may tell a long
 * story first, or ask for something else.
 */
export function readByThemselves(text: string, splitSentences: (text: string) => string[]): string[] {
  const sentences = splitSentences(text.slice(-MAX_END));
  return sentences.length > 1 ? sentences.slice(-MAX_SENTENCES) : [];
}

const MAGIC = 0x31474e44;
const HEAD = 8;

const hashOf = (revision: string) => createHash('sha256').update(revision).digest().readUInt32LE(0);

/** A softmax regression over the reading engine's vectors of English texts, made as of questions. */
export class DangerModel {
  readonly #weights: Float32Array;
  readonly #revisionHash: number;

  /** @throws Error when the bytes are not a model of this program */
  constructor(bytes: Uint8Array) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.length !== HEAD + SIZE * CLASSES * 4 || view.getUint32(0, true) !== MAGIC)
      throw new Error('The danger model does not fit this program; train it again.');
    this.#revisionHash = view.getUint32(4, true);
    this.#weights = Float32Array.from({ length: SIZE * CLASSES }, (_, n) =>
      view.getFloat32(HEAD + n * 4, true),
    );
  }

  /** Whether it was trained on vectors of these weights. */
  knows(revision: string): boolean {
    return hashOf(revision) === this.#revisionHash;
  }

  see(vector: Float32Array): Seen {
    const sums = new Array<number>(CLASSES).fill(0);
    for (let n = 0; n < SIZE; n++)
      for (let c = 0; c < CLASSES; c++)
        sums[c] =
          (sums[c] ?? 0) + (n < SIZE - 1 ? (vector[n] ?? 0) : 1) * (this.#weights[n * CLASSES + c] ?? 0);
    const most = Math.max(...sums);
    const [none = 0, ...kinds] = sums.map((sum) => Math.exp(sum - most));
    const total = kinds.reduce((sum, part) => sum + part, none);
    return { chance: 1 - none / total, kind: dangers[kinds.indexOf(Math.max(...kinds))] ?? 'danger' };
  }
}

const model = new DangerModel(readFileSync(new URL('./danger.bin', import.meta.url)));

/**
 * What a vector says of danger.
 * @param revision of the reading engine that made it
 * @returns null where the model was trained on vectors of other weights
 */
export const seeDanger = (vector: Float32Array, revision: string): Seen | null =>
  model.knows(revision) ? model.see(vector) : null;

/**
 * The file's bytes: mark, the reading engine's revision, and the weights, a number for each class, feature by feature.
 * Little-endian.
 */
export function writeDangerModel(weights: Float32Array, revision: string): Uint8Array {
  const bytes = new Uint8Array(HEAD + weights.length * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, hashOf(revision), true);
  for (const [n, weight] of weights.entries()) view.setFloat32(HEAD + n * 4, weight, true);
  return bytes;
}
