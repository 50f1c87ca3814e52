import { type ClassifierWeights, layer, softmax, VECTOR } from '#server/languages/text-classifier';
import { shuffled } from '../sentiment/regression.ts';

/** A training text for the perceptron. */
export interface Labelled {
  vector: Float32Array;
  /** Index of its class. */
  label: number;
  weight: number;
}

interface Learning {
  classes: number;
  hidden: number;
  rounds: number;
}

const BATCH = 64;
const RATE = 2e-3;
const DECAY = 1e-4;
/** Share of hidden units dropped per text, so that none is relied on. */
const DROPPED = 0.3;

/**
 * Trains a perceptron with one hidden layer: Adam (Kingma and Ba 2015), with dropout (Srivastava et al.
 * 2014); rare classes weigh more, by the root of their rarity. Deterministic.
 */
export function learnClassifier(
  texts: readonly Labelled[],
  { classes, hidden, rounds }: Learning,
): ClassifierWeights {
  const random = generator(1);
  const inner = new Adam(hidden * (VECTOR + 1), () => (normal(random) * 3) / Math.sqrt(VECTOR));
  const outer = new Adam(classes * (hidden + 1), () => normal(random) / Math.sqrt(hidden));
  for (let row = 0; row < hidden; row++) inner.values[row * (VECTOR + 1) + VECTOR] = 0;
  for (let row = 0; row < classes; row++) outer.values[row * (hidden + 1) + hidden] = 0;
  const rarity = rarityOf(texts, classes);
  for (let round = 0; round < rounds; round++) {
    const order = shuffled([...texts], round + 1);
    for (let from = 0; from < order.length; from += BATCH) {
      const batch = order.slice(from, from + BATCH);
      for (const { vector, label, weight } of batch) {
        const sums = layer(inner.values, vector, hidden);
        const kept = sums.map((sum) => (sum > 0 && random() >= DROPPED ? 1 / (1 - DROPPED) : 0));
        const units = sums.map((sum, n) => sum * (kept[n] ?? 0));
        const share = (weight * (rarity[label] ?? 1)) / batch.length;
        const errors = softmax(layer(outer.values, units, classes)).map(
          (chance, c) => (chance - (c === label ? 1 : 0)) * share,
        );
        const back = units.map((_, n) =>
          kept[n] === 0
            ? 0
            : (kept[n] ?? 0) *
              errors.reduce((sum, error, c) => sum + error * (outer.values[c * (hidden + 1) + n] ?? 0), 0),
        );
        outer.learn(errors, units);
        inner.learn(back, vector);
      }
      outer.step();
      inner.step();
    }
  }
  return { hidden, classes, inner: inner.values, outer: outer.values };
}

function rarityOf(texts: readonly Labelled[], classes: number): number[] {
  const sums = Array.from({ length: classes }, (_, c) =>
    texts.reduce((sum, { label, weight }) => sum + (label === c ? weight : 0), 0),
  );
  const total = sums.reduce((a, b) => a + b, 0);
  return sums.map((sum) => Math.sqrt(total / classes / Math.max(sum, 1)));
}

/** Weights of a layer, with their optimiser state. */
class Adam {
  readonly values: Float32Array;
  readonly #slopes: Float32Array;
  readonly #means: Float32Array;
  readonly #squares: Float32Array;
  #steps = 0;

  constructor(length: number, first: () => number) {
    this.values = Float32Array.from({ length }, first);
    this.#slopes = new Float32Array(length);
    this.#means = new Float32Array(length);
    this.#squares = new Float32Array(length);
  }

  /** Adds the gradients of one text: errors, a row each, over the input numbers. */
  learn(errors: readonly number[], numbers: ArrayLike<number>): void {
    const width = numbers.length + 1;
    for (const [row, error] of errors.entries()) {
      if (error === 0) continue;
      const start = row * width;
      for (let n = 0; n < numbers.length; n++)
        this.#slopes[start + n] = (this.#slopes[start + n] ?? 0) + error * (numbers[n] ?? 0);
      this.#slopes[start + numbers.length] = (this.#slopes[start + numbers.length] ?? 0) + error;
    }
  }

  step(): void {
    this.#steps++;
    const meanScale = 1 / (1 - 0.9 ** this.#steps);
    const squareScale = 1 / (1 - 0.999 ** this.#steps);
    for (let n = 0; n < this.values.length; n++) {
      const value = this.values[n] ?? 0;
      const slope = (this.#slopes[n] ?? 0) + DECAY * value;
      const mean = 0.9 * (this.#means[n] ?? 0) + 0.1 * slope;
      const square = 0.999 * (this.#squares[n] ?? 0) + 0.001 * slope * slope;
      this.#means[n] = mean;
      this.#squares[n] = square;
      this.values[n] = value - (RATE * mean * meanScale) / (Math.sqrt(square * squareScale) + 1e-8);
      this.#slopes[n] = 0;
    }
  }
}

/** Random numbers from 0 to below 1 by a linear congruential generator, the same on every machine. */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Box and Muller 1958. */
const normal = (random: () => number) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
