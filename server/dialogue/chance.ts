/**
 * A probability from features, 0 to 1: the weights are those of a logistic regression, the last of them its constant.
 */
export function chanceOf(weights: readonly number[], features: readonly number[]): number {
  const sum = weights.reduce((all, weight, n) => all + weight * (features[n] ?? 1), 0);
  return 1 / (1 + Math.exp(-sum));
}
