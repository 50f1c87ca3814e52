import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** Files in the folder, besides NOTICE and SHA256SUMS. */
export const WEIGHTS = {
  encoder: 'embed.onnx',
  searchEncoder: 'search.onnx',
  crossEncoder: 'relevance.onnx',
  entailment: 'entailment.onnx',
  vocabulary: 'vocab.txt',
};

/** Length of one encoder's vector. */
export const ENCODER_DIMENSIONS = 384;
/** Length of a vector: both encoders together. */
export const DIMENSIONS = 2 * ENCODER_DIMENSIONS;

/**
 * Identifies how vectors are made: the encoders by the start of their sha256, and how a text is cut and
 * averaged. Raise the last number when wordpiece.ts or models.ts produce other vectors for the same text.
 */
export const REVISION = 'all-minilm-l6-v2-q afdb6f1a0e45 + bge-small-en-v1.5 68807e3ff2ab 2';

/** The folder of the weights in the program, found from the sources and from the build alike. */
export const weightsFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve(`#weights/reading/${WEIGHTS.vocabulary}`));
