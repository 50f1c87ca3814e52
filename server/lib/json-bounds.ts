/** How much structure JSON may have. */
interface JsonBounds {
  /** Lists and objects within each other. */
  depth: number;
  /** Values, in lists and objects together. */
  values: number;
}

/** Nobody writes JSON that is nested deeper; whoever walks over it may do so by calling themselves. */
export const MAX_JSON_DEPTH = 64;

/**
 * Looks at JSON before anybody parses it. A text of a megabyte is parsed within a millisecond; a megabyte of "[[[[" or
 * of small objects takes a hundred times as long, and what is nested deeper than a stack breaks whoever walks over it. To be
 * given the text piece by piece, as it comes.
 */
export class JsonLook {
  readonly #bounds: JsonBounds;
  #depth = 0;
  #values = 0;
  #isInText = false;
  #isEscaped = false;

  constructor(bounds: JsonBounds) {
    this.#bounds = bounds;
  }

  /**
   * @param piece UTF-8, cut anywhere
   * @returns what of all pieces so far is too much, in a sentence; null: nothing
   */
  add(piece: Uint8Array): string | null {
    let depth = this.#depth;
    let values = this.#values;
    let deepest = depth;
    let isInText = this.#isInText;
    let isEscaped = this.#isEscaped;
    for (let n = 0; n < piece.length && deepest <= this.#bounds.depth; n++) {
      const byte = piece[n];
      if (isInText) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTE) isInText = false;
      } else if (byte === QUOTE) isInText = true;
      else if (byte === COMMA) values++;
      else if (byte === LIST || byte === OBJECT) {
        values++;
        depth++;
        if (depth > deepest) deepest = depth;
      } else if (byte === LIST_END || byte === OBJECT_END) depth--;
    }
    this.#depth = depth;
    this.#values = values;
    this.#isInText = isInText;
    this.#isEscaped = isEscaped;
    if (deepest > this.#bounds.depth) return `Nest JSON at most ${this.#bounds.depth} levels deep.`;
    if (values > this.#bounds.values)
      return `Send at most ${this.#bounds.values.toLocaleString('en')} values at a time.`;
    return null;
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\,[]{}');
