import { type Refusal, refusal } from '#shared/refusals/refusal';

/** Limits of JSON structure. */
interface JsonBounds {
  /** Nesting of lists and objects. */
  depth: number;
  /** Values in all lists and objects together. */
  values: number;
}

/** Real JSON is never nested deeper, and code that walks over it may recurse. */
export const MAX_JSON_DEPTH = 64;

/**
 * Checks JSON before it is parsed. A megabyte of text parses within a millisecond; a megabyte of "[[[[" or of
 * small objects takes a hundred times as long, and deep nesting overflows the stack of recursive code. Takes
 * the text piece by piece, as it arrives.
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
   * @returns the limit that the pieces so far exceed; null if none
   */
  add(piece: Uint8Array): Refusal | null {
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
    if (deepest > this.#bounds.depth) return refusal('common.json-too-deep', { max: this.#bounds.depth });
    if (values > this.#bounds.values)
      return refusal('common.json-too-many-values', { max: this.#bounds.values });
    return null;
  }
}

const [QUOTE, BACKSLASH, COMMA, LIST, LIST_END, OBJECT, OBJECT_END] = Buffer.from('"\\,[]{}');
