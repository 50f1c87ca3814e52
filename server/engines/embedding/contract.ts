import type { EngineStatus } from '#shared/status';

/**
 * Maps texts to unit-length vectors whose dot product says how near they are in meaning.
 * `embed` answers one vector of `dimensions` numbers per text, in order; rejects with an EngineError or the signal's reason.
 */
export interface EmbeddingEngine {
  readonly name: string;
  readonly dimensions: number;
  status(): EngineStatus;
  embed(texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]>;
  close(): Promise<void>;
}
