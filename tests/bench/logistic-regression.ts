import { chanceOf } from '#server/dialogue/chance';

export interface Example {
  features: readonly number[];
  /** The value to predict. */
  isSo: boolean;
  /** The weight of the example. */
  weight: number;
}

/** Newton's method converges long before. */
const STEPS = 30;

/**
 * Logistic regression with an L2 penalty of half the square of each weight except the constant's, over features
 * standardised by their means and deviations; by Newton's method (Bishop 2006, 4.3.3). All examples have as many
 * features.
 * @returns one weight per original feature, the constant last
 */
export function logisticRegression(examples: readonly Example[]): number[] {
  const count = examples[0]?.features.length ?? 0;
  const scales = Array.from({ length: count }, (_, n) =>
    scaleOf(examples.map((each) => at(each.features, n))),
  );
  const rows = examples.map(({ features }) => [
    ...scales.map(({ mean, deviation }, n) => (at(features, n) - mean) / deviation),
    1,
  ]);
  let weights = new Array<number>(count + 1).fill(0);
  for (let step = 0; step < STEPS; step++) {
    const gradient = weights.map((weight, n) => (n < count ? weight : 0));
    const curvature = weights.map((_, n) => weights.map((__, m) => Number(n === m && n < count)));
    for (const [place, row] of rows.entries()) {
      const { isSo = false, weight = 0 } = examples[place] ?? {};
      const chance = chanceOf(weights, row);
      for (const [n, x] of row.entries()) {
        gradient[n] = at(gradient, n) + weight * (chance - Number(isSo)) * x;
        const line = curvature[n] ?? [];
        for (const [m, y] of row.entries()) line[m] = at(line, m) + weight * chance * (1 - chance) * x * y;
      }
    }
    const move = solved(curvature, gradient);
    weights = weights.map((weight, n) => weight - at(move, n));
  }
  const own = scales.map(({ deviation }, n) => at(weights, n) / deviation);
  const shift = own.reduce((sum, weight, n) => sum + weight * (scales[n]?.mean ?? 0), 0);
  return [...own, at(weights, count) - shift];
}

/** How often a positive example has a higher probability than a negative one; ties count half. */
export function areaUnderCurve(judged: readonly { isSo: boolean; chance: number }[]): number {
  const so = judged.filter(({ isSo }) => isSo);
  const others = judged.filter(({ isSo }) => !isSo);
  let ahead = 0;
  for (const { chance } of so)
    for (const other of others) ahead += chance > other.chance ? 1 : chance === other.chance ? 0.5 : 0;
  return ahead / (so.length * others.length);
}

function scaleOf(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  const variance = values.reduce((sum, x) => sum + (x - mean) ** 2, 0) / values.length;
  return { mean, deviation: Math.sqrt(variance) || 1 };
}

/** Solves matrix · x = right, by Gaussian elimination; the penalty keeps the diagonal from vanishing. */
function solved(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, n) => [...row, at(right, n)]);
  for (const [n, row] of rows.entries())
    for (const below of rows.slice(n + 1)) {
      const factor = at(below, n) / at(row, n);
      for (let m = n; m < row.length; m++) below[m] = at(below, m) - factor * at(row, m);
    }
  const x = new Array<number>(rows.length).fill(0);
  for (const [n, row] of [...rows.entries()].reverse()) {
    const rest = x.reduce((sum, value, m) => (m > n ? sum + at(row, m) * value : sum), 0);
    x[n] = (at(row, rows.length) - rest) / at(row, n);
  }
  return x;
}

const at = (values: readonly number[], n: number) => values[n] ?? 0;
