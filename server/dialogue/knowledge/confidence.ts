import { chanceOf } from '../chance.ts';

/**
 * Weights of logistic regressions over `featuresOf` in find.ts, made by `tests/bench/fit-confidence.ts`; the last is
 * the constant.
 */
const WEIGHTS: readonly number[] = [-0.622, 0.142, 0.378, 0.503, 2.357, 0.36, 0.252, 0.162, -0.867];

/** For the fast path alone, over `glancedFeaturesOf`; made by the same with `--glance`. */
const GLANCED_WEIGHTS: readonly number[] = [3.453, 1.523, 9.66, 0.038, -2.667];

/** Threshold of a sure answer; docs/dialogue.md says how it was found. */
export const SURE = 0.74;

/** A result of the fast path this sure skips the cross-encoder. */
export const SURE_AT_A_GLANCE = 0.95;

/** The probability that the first passage answers the question: 0 to 1. */
export const confidenceOf = (features: readonly number[], isGlance: boolean): number =>
  chanceOf(isGlance ? GLANCED_WEIGHTS : WEIGHTS, features);
