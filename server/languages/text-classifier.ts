import { createHash } from 'node:crypto';

/** Length of a vector of the reading engine. */
export const VECTOR = 768;

/**
 * Weights of a perceptron with one hidden layer: of the vector for each unit, unit by unit, and of the units
 * for each class.
 */
export interface ClassifierWeights {
  hidden: number;
  classes: number;
  /** `hidden` rows of `VECTOR` numbers and a constant. */
  inner: Float32Array;
  /** `classes` rows of `hidden` numbers and a constant. */
  outer: Float32Array;
}

const HEAD = 16;

const hashOf = (revision: string) => createHash('sha256').update(revision).digest().readUInt32LE(0);

/**
 * Classifies a text by the reading engine's vector, embedded as a question: a perceptron with one hidden
 * layer, trained on labelled texts (`scripts/lib/learn-classifier.ts`).
 */
export class TextClassifier {
  readonly #weights: ClassifierWeights;
  readonly #revisionHash: number;

  /**
   * @param bytes from `writeClassifier`
   * @throws Error if they are not a classifier with this many classes
   */
  constructor(bytes: Uint8Array, classes: number) {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    const hidden = bytes.length < HEAD ? 0 : view.getUint32(4, true);
    const inner = hidden * (VECTOR + 1);
    if (bytes.length !== HEAD + inner + classes * (hidden + 1) * 4)
      throw new Error('The classifier does not fit this program; train it again.');
    this.#revisionHash = view.getUint32(0, true);
    const scale = view.getFloat32(8, true);
    this.#weights = {
      hidden,
      classes,
      inner: Float32Array.from({ length: inner }, (_, n) => (view.getInt8(HEAD + n) * scale) / 127),
      outer: Float32Array.from({ length: classes * (hidden + 1) }, (_, n) =>
        view.getFloat32(HEAD + inner + n * 4, true),
      ),
    };
  }

  /** Whether it was trained on vectors of these weights. */
  knows(revision: string): boolean {
    return hashOf(revision) === this.#revisionHash;
  }

  /** Probability of each class, 0 to 1; the sum is 1. */
  chancesOf(vector: Float32Array): number[] {
    const { hidden, classes, inner, outer } = this.#weights;
    const units = layer(inner, vector, hidden).map((sum) => Math.max(0, sum));
    return softmax(layer(outer, units, classes));
  }
}

/** Applies each row of weights, with its constant at the end. */
export function layer(weights: Float32Array, numbers: ArrayLike<number>, rows: number): number[] {
  const width = numbers.length + 1;
  return Array.from({ length: rows }, (_, row) => {
    let sum = weights[row * width + numbers.length] ?? 0;
    for (let n = 0; n < numbers.length; n++) sum += (numbers[n] ?? 0) * (weights[row * width + n] ?? 0);
    return sum;
  });
}

export function softmax(sums: readonly number[]): number[] {
  const most = Math.max(...sums);
  const parts = sums.map((sum) => Math.exp(sum - most));
  const total = parts.reduce((sum, part) => sum + part, 0);
  return parts.map((part) => part / total);
}

/**
 * The file's bytes, little-endian: the reading engine's revision, the number of hidden units and the scale of
 * their weights, then these weights in a byte each, then the classes' weights.
 */
export function writeClassifier({ hidden, inner, outer }: ClassifierWeights, revision: string): Uint8Array {
  const scale = inner.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  const bytes = new Uint8Array(HEAD + inner.length + outer.length * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, hashOf(revision), true);
  view.setUint32(4, hidden, true);
  view.setFloat32(8, scale, true);
  for (const [n, weight] of inner.entries()) view.setInt8(HEAD + n, Math.round((weight / scale) * 127));
  for (const [n, weight] of outer.entries()) view.setFloat32(HEAD + inner.length + n * 4, weight, true);
  return bytes;
}
