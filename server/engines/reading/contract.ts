import type { EngineStatus } from '#shared/status';

export interface EmbedOptions {
  signal?: AbortSignal;
  /** Texts of an index wait for those of a turn. Default: `turn`. */
  urgency?: 'turn' | 'index';
}

/** Reads: what is near in meaning, and which passage bears on a question. */
export interface ReadingEngine {
  readonly name: string;
  /** Names the weights that make vectors: vectors of another one cannot be compared. */
  readonly revision: string;
  /** Numbers in one vector. */
  readonly dimensions: number;
  status(): EngineStatus;
  /**
   * Maps texts to vectors of length one whose dot product says how near they are in meaning; one per text, in order.
   * @throws EngineError, or the signal's reason
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * How much each text bears on a question: the cross-encoder's logits, about −11 (not at all) to 11, in order.
   * @throws EngineError, or the signal's reason
   */
  relevance(question: string, texts: readonly string[], signal?: AbortSignal): Promise<number[]>;
  close(): Promise<void>;
}
