/** Weights of a logistic regression over `featuresOf` in find.ts, made by `tests/bench/fit-confidence.ts`; the last is the constant. */
const WEIGHTS: readonly number[] = [-0.619, -0.025, 2.795, 0.769, 3.453, -0.76, 0.105, 0.169, -1.097];

/** From here on a question is answered as sure; docs/dialogue.md says how it was found. */
export const SURE = 0.58;

/** How likely it is, by what speaks for it, that the first passage answers the question: 0 to 1. */
export function confidenceOf(features: readonly number[]): number {
  const sum = WEIGHTS.reduce((all, weight, n) => all + weight * (features[n] ?? 1), 0);
  return 1 / (1 + Math.exp(-sum));
}
