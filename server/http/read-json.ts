import parse from 'secure-json-parse';

export interface ReadJson {
  value: unknown;
  /** Some texts may not be storable: `isStorable` decides. */
  isDoubtful: boolean;
}

/** @returns null if it is not JSON or would change prototypes */
export function readJson(body: Uint8Array): ReadJson | null {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    return { value: parse(text), isDoubtful: MAY_BE_UNSTORABLE.test(text) };
  } catch {
    return null;
  }
}

/** Invalid UTF-8 is replaced by decoding, and JSON can contain NUL only as an escape. */
const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
