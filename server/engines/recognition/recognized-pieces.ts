/** Pieces remembered; a call shows its words several times before it is done with them. */
const KEPT = 64;

/**
 * Words of the last pieces that were recognized, so that a long utterance, recognized again and again while it grows, costs only
 * its end, and what was recognized in a pause is there when the pause turns out to be the end.
 */
export class RecognizedPieces {
  readonly #words = new Map<string, string>();

  get(piece: Float32Array): string | undefined {
    return this.#words.get(keyOf(piece));
  }

  set(piece: Float32Array, words: string): void {
    const key = keyOf(piece);
    this.#words.delete(key);
    this.#words.set(key, words);
    const [oldest] = this.#words.keys();
    if (this.#words.size > KEPT && oldest !== undefined) this.#words.delete(oldest);
  }
}

/** Length and two 32-bit FNV-1a hashes of the samples: equal for equal sound alone, as far as a machine will ever see. */
function keyOf(piece: Float32Array): string {
  const bits = new Uint32Array(piece.buffer, piece.byteOffset, piece.length);
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (const word of bits) {
    a = Math.imul(a ^ word, 0x01000193);
    b = Math.imul(b ^ (word >>> 7), 0x85ebca6b);
  }
  return `${piece.length}/${a >>> 0}/${b >>> 0}`;
}
