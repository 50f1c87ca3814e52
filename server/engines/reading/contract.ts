import { createHash } from 'node:crypto';
import type { EngineStatus } from '#shared/status';

export { isKnownWord } from './known-words.ts';

interface ReadingOptions {
  signal?: AbortSignal;
  /** What nobody waits for on the line, as the texts of an index, waits for what a turn asks. Default: `turn`. */
  urgency?: 'turn' | 'index';
  /**
   * The place of the turn that asks: smaller numbers are read first. A turn asks again and again, and two that ask
   * at once are better answered one after the other than both late.
   */
  turn?: number;
}

export interface EmbedOptions extends ReadingOptions {
  /** How many texts of the same work follow these: where nobody waits on the line, what has fewer left goes first. */
  following?: number;
  /** What the texts are: questions are looked for among passages. Default: `passage`, also to compare like with like. */
  as?: 'question' | 'passage';
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
   * How surely each text answers a question: logits of a cross-encoder that learnt it (docs/dialogue.md), about −9.5 (it has no
   * bearing) to 8.5, below zero where it rather does not, in order. English.
   * @throws EngineError, or the signal's reason
   */
  relevance(question: string, texts: readonly string[], options?: ReadingOptions): Promise<number[]>;
  /**
   * How surely what a sentence states follows from a text: the logit of a cross-encoder that learnt it (docs/dialogue.md). English.
   * @throws EngineError, or the signal's reason
   */
  entailment(sentence: string, text: string, options?: ReadingOptions): Promise<number>;
  /** Loads what `entailment` alone needs, for whoever will ask soon; what fails is told where it is asked for. */
  prepareEntailment(): void;
  close(): Promise<void>;
}

/** Vectors kept over restarts, an agent's together, each under the hash of its text. */
export interface VectorFiles {
  /**
   * @param revision of the engine that made them: those of another one are left out
   * @returns the vectors by `contentHash`, of length one; none where there are none, or a file is broken
   */
  load(agentId: string, revision: string): Promise<Map<string, Float32Array>>;
  /**
   * Replaces all that is kept of the agent. Vectors keep their length, and their dot products to within 0.0001.
   * @throws RangeError when vectors differ in length or a key is no `contentHash`; what the file system says
   */
  save(
    agentId: string,
    revision: string,
    entries: Iterable<readonly [hash: string, vector: Float32Array]>,
  ): Promise<void>;
  /** Deletes what is kept of the agent, if anything is. */
  forget(agentId: string): Promise<void>;
}

/** Names a text by what it says: 16 bytes of its sha256, as 22 characters. */
export const contentHash = (text: string): string =>
  createHash('sha256').update(text).digest().subarray(0, 16).toString('base64url');
