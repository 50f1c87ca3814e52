import { LRUCache } from 'lru-cache';
import { keyOf } from './key-of.ts';

/** Pieces remembered; a call shows its words several times before it is done with them. */
const KEPT = 64;
/** Sound that begins with the same half a second, in samples, is the same utterance, a little longer. */
const BEGINNING = 8_000;

/**
 * What was lately recognized, so that a long utterance, recognized again and again while it grows, costs only its end, and
 * what was recognized in a pause is there when the pause turns out to be the end.
 */
export class RecognizedPieces {
  readonly #words = new LRUCache<string, string>({ max: KEPT });
  readonly #tokens = new LRUCache<string, readonly number[]>({ max: KEPT });

  /** The words of the very same sound. */
  get(piece: Float32Array): string | undefined {
    return this.#words.get(keyOf(piece));
  }

  set(piece: Float32Array, words: string): void {
    this.#words.set(keyOf(piece), words);
  }

  /** The tokens of what was last recognized of an utterance that grows; none of one that is new. */
  draftOf(piece: Float32Array): readonly number[] {
    return this.#tokens.get(beginningOf(piece)) ?? [];
  }

  keepDraft(piece: Float32Array, tokens: readonly number[]): void {
    this.#tokens.set(beginningOf(piece), tokens);
  }
}

const beginningOf = (piece: Float32Array) => keyOf(piece.subarray(0, BEGINNING));
