import { createHash } from 'node:crypto';
import type { EngineStatus } from '#shared/status';

export { isKnownWord } from './known-words.ts';

interface ReadingOptions {
  signal?: AbortSignal;
  /** `index` work runs after `turn` work. Default: `turn`. */
  urgency?: 'turn' | 'index';
  /**
   * Order of the asking turn: smaller numbers are read first. A turn asks several times, and of two turns at
   * once it is better to finish one after the other than both late.
   */
  turn?: number;
}

export interface EmbedOptions extends ReadingOptions {
  /** How many texts of the same work follow these; for `index` work the shorter remainder goes first. */
  following?: number;
  /**
   * Role of the texts: questions are searched among passages. Default: `passage`, also to compare texts of
   * one kind.
   */
  as?: 'question' | 'passage';
}

/** Compares meanings: similarity of texts, and whether a passage answers a question. */
export interface ReadingEngine {
  readonly name: string;
  /** Identifies the weights that make vectors: vectors of different revisions cannot be compared. */
  readonly revision: string;
  /** Length of a vector. */
  readonly dimensions: number;
  status(): EngineStatus;
  /**
   * Maps texts to unit vectors whose dot product measures similarity of meaning; one per text, in order.
   * @throws EngineError; the signal's reason
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /**
   * How well each text answers a question, in order: logits of a cross-encoder trained for this
   * (docs/dialogue.md), from about −9.5 (unrelated) to 8.5; below zero it rather does not. English.
   * @throws EngineError; the signal's reason
   */
  relevance(question: string, texts: readonly string[], options?: ReadingOptions): Promise<number[]>;
  /**
   * How surely a sentence follows from a text: the logit of a cross-encoder trained for this
   * (docs/dialogue.md). English.
   * @throws EngineError; the signal's reason
   */
  entailment(sentence: string, text: string, options?: ReadingOptions): Promise<number>;
  /** Starts loading the weights of `entailment`; a failure is reported by `entailment`. */
  prepareEntailment(): void;
  close(): Promise<void>;
}

/** Stores vectors over restarts, by agent, each under the hash of its text. */
export interface VectorFiles {
  /**
   * @param revision of the engine that made them: others are left out
   * @returns unit vectors by `contentHash`; empty if there are none or the file is broken
   */
  load(agentId: string, revision: string): Promise<Map<string, Float32Array>>;
  /**
   * Replaces all stored vectors of the agent. Length is kept, and dot products to within 0.0001.
   * @throws RangeError when vectors differ in length or a key is not a `contentHash`; errors of the file
   * system
   */
  save(
    agentId: string,
    revision: string,
    entries: Iterable<readonly [hash: string, vector: Float32Array]>,
  ): Promise<void>;
  /** Deletes the agent's vectors, if any. */
  forget(agentId: string): Promise<void>;
}

/** Key of a text: 16 bytes of its sha256, as 22 characters. */
export const contentHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
