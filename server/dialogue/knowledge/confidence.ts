import { chanceOf } from '../chance.ts';

/** Weights of logistic regressions over `featuresOf` in find.ts, made by `tests/bench/fit-confidence.ts`; the last is the constant. */
const WEIGHTS: readonly number[] = [-0.669, -0.054, 3.461, 0.467, 3.794, -0.983, 0.12, 0.082, -1.271];

/** Where there was time for a glance alone, over `glancedFeaturesOf`; made by the same with `--glance`. */
const GLANCED_WEIGHTS: readonly number[] = [3.414, 1.63, 10.992, -0.614, -2.473];

/** From here on a question is answered as sure; docs/dialogue.md says how it was found. */
export const SURE = 0.58;

/** What a glance is as sure of is not looked at more closely. */
export const SURE_AT_A_GLANCE = 0.8;

/** How likely it is, by what speaks for it, that the first passage answers the question: 0 to 1. */
export const confidenceOf = (features: readonly number[], isGlance: boolean): number =>
  chanceOf(isGlance ? GLANCED_WEIGHTS : WEIGHTS, features);
