import { chanceOf } from '../chance.ts';

/** Weights of logistic regressions over `featuresOf` in find.ts, made by `tests/bench/fit-confidence.ts`; the last is the constant. */
const WEIGHTS: readonly number[] = [-0.619, -0.025, 2.795, 0.769, 3.453, -0.76, 0.105, 0.169, -1.097];

/** Where there was time for a glance alone, over `glancedFeaturesOf`; made by the same with `--glance`. */
const GLANCED_WEIGHTS: readonly number[] = [4.472, 1.94, 9.523, -0.163, -3.511];

/** From here on a question is answered as sure; docs/dialogue.md says how it was found. */
export const SURE = 0.58;

/** How likely it is, by what speaks for it, that the first passage answers the question: 0 to 1. */
export const confidenceOf = (features: readonly number[], isGlance: boolean): number =>
  chanceOf(isGlance ? GLANCED_WEIGHTS : WEIGHTS, features);
