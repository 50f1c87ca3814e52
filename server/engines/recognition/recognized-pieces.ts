import { LRUCache } from 'lru-cache';
import { keyOf } from './key-of.ts';

/** Pieces remembered; a call recognises its words several times before it is done with them. */
const KEPT = 64;
/** Sounds with the same first half second, in samples, are the same utterance at different lengths. */
const BEGINNING = 8_000;

/**
 * Cache of recent results: a growing utterance that is recognised repeatedly costs only its end, and the
 * result of a pause is ready when the pause turns out to be the end.
 */
export class RecognizedPieces {
  readonly #words = new LRUCache<string, string>({ max: KEPT });
  readonly #tokens = new LRUCache<string, readonly number[]>({ max: KEPT });

  /** The words of exactly this sound. */
  get(piece: Float32Array): string | undefined {
    return this.#words.get(keyOf(piece));
  }

  set(piece: Float32Array, words: string): void {
    this.#words.set(keyOf(piece), words);
  }

  /** The last tokens of a growing utterance; none for a new one. */
  draftOf(piece: Float32Array): readonly number[] {
    return this.#tokens.get(beginningOf(piece)) ?? [];
  }

  keepDraft(piece: Float32Array, tokens: readonly number[]): void {
    this.#tokens.set(beginningOf(piece), tokens);
  }
}

const beginningOf = (piece: Float32Array) => keyOf(piece.subarray(0, BEGINNING));
