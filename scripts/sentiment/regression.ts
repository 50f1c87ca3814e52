import type { WeightTable } from '#server/engines/sentiment/model';
import { softmax } from '#server/languages/text-classifier';

/** A training text: indexes of its features, and their values. */
export interface Sample {
  at: Uint32Array;
  values: Float32Array;
  /** Index of its label. */
  label: number;
  weight: number;
}

export interface Training {
  features: number;
  /** Index of the feature that is 1 in every sample. */
  constant: number;
  /** Added to each label's sum after training. */
  lean: readonly number[];
  rounds: number;
  rate: number;
  decay: number;
}

/**
 * Softmax regression by AdaGrad (Duchi et al. 2011); rare labels weigh more, by the root of their rarity. The
 * result is the average over the later half of the rounds, which depends less on the order of the samples
 * than the last round alone.
 * @returns a weight per label for each feature, feature by feature
 */
export function regression(samples: readonly Sample[], training: Training): Float32Array {
  const { features, rounds, rate, decay, lean } = training;
  const classes = lean.length;
  const weights = new Float32Array(features * classes);
  const squares = new Float32Array(features * classes).fill(1e-2);
  const perClass = lean.map((_, c) =>
    samples.reduce((sum, { label, weight }) => sum + (label === c ? weight : 0), 0),
  );
  const total = perClass.reduce((sum, n) => sum + n, 0);
  const rarity = perClass.map((n) => Math.sqrt(total / classes / n));
  const average = new Float32Array(weights.length);
  for (let round = 0; round < rounds; round++) {
    for (const { at, values, label, weight } of shuffled([...samples], round + 1)) {
      const chances = softmax(sums(weights, at, values, classes));
      for (let c = 0; c < classes; c++) {
        const error = ((chances[c] ?? 0) - (c === label ? 1 : 0)) * weight * (rarity[label] ?? 1);
        for (let k = 0; k < at.length; k++) {
          const place = (at[k] ?? 0) * classes + c;
          const old = weights[place] ?? 0;
          const gradient = error * (values[k] ?? 0) + decay * old;
          const square = (squares[place] ?? 0) + gradient * gradient;
          squares[place] = square;
          weights[place] = old - (rate * gradient) / Math.sqrt(square);
        }
      }
    }
    if (round >= rounds / 2)
      for (const [place, weight] of weights.entries())
        average[place] = (average[place] ?? 0) + weight / (rounds / 2);
  }
  lean.forEach((added, c) => {
    const place = training.constant * classes + c;
    average[place] = (average[place] ?? 0) + added;
  });
  return average;
}

/** Rounds weights to bytes, in 1/127 of the largest. */
export function rounded(weights: Float32Array): WeightTable {
  const scale = weights.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { scale, weights: Int8Array.from(weights, (x) => Math.round((x / scale) * 127)) };
}

function sums(weights: Float32Array, at: Uint32Array, values: Float32Array, classes: number): number[] {
  const totals = new Array<number>(classes).fill(0);
  for (let k = 0; k < at.length; k++)
    for (let c = 0; c < classes; c++)
      totals[c] = (totals[c] ?? 0) + (weights[(at[k] ?? 0) * classes + c] ?? 0) * (values[k] ?? 0);
  return totals;
}

/** Fisher–Yates with a linear congruential generator, the same on every machine. */
export function shuffled<T>(items: T[], seed: number): T[] {
  let state = seed;
  for (let i = items.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    const j = Math.floor((state / 2 ** 32) * (i + 1));
    const [a, b] = [items[i], items[j]];
    if (a === undefined || b === undefined) continue;
    items[i] = b;
    items[j] = a;
  }
  return items;
}
