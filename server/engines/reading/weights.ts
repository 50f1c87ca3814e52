import { createRequire } from 'node:module';
import { dirname } from 'node:path';

/** What the folder holds, besides NOTICE and SHA256SUMS. */
export const WEIGHTS = {
  encoder: 'embed.onnx',
  searchEncoder: 'search.onnx',
  crossEncoder: 'relevance.onnx',
  entailment: 'entailment.onnx',
  vocabulary: 'vocab.txt',
};

/** Numbers in a vector of one encoder. */
export const ENCODER_DIMENSIONS = 384;
/** Numbers in a vector: those of both encoders. */
export const DIMENSIONS = 2 * ENCODER_DIMENSIONS;

/**
 * Names what makes vectors: the encoders by the start of their sha256, and how a text is cut and averaged. Raise the last
 * number when wordpiece.ts or models.ts make other vectors of the same text.
 */
export const REVISION = 'all-minilm-l6-v2-q afdb6f1a0e45 + bge-small-en-v1.5 68807e3ff2ab 2';

/** The folder of the weights, which are part of the program: found from the sources and from the build alike. */
export const weightsFolder = (): string =>
  dirname(createRequire(import.meta.url).resolve(`#weights/reading/${WEIGHTS.vocabulary}`));
