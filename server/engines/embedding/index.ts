import type { Weights } from '#server/engines/weights/contract';
import type { EmbeddingEngine } from './contract.ts';
import { createUniversalSentenceEncoder } from './universal-sentence-encoder.ts';

/** The embedding engine of this server. It fetches its weights by itself; until then its status says so. */
export function createEmbedding({
  weights,
}: {
  weights: Pick<Weights, 'ensure' | 'status'>;
}): EmbeddingEngine {
  return createUniversalSentenceEncoder(weights);
}
