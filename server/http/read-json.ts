import parse from 'secure-json-parse';

/** A body that was read. */
export interface ReadJson {
  value: unknown;
  /** Some of its texts may be none that a database holds: `isStorable` says. */
  isDoubtful: boolean;
}

/** @returns null for what is no JSON, or would change prototypes */
export function readJson(body: Uint8Array): ReadJson | null {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    return { value: parse(text), isDoubtful: MAY_BE_UNSTORABLE.test(text) };
  } catch {
    return null;
  }
}

/** What is no UTF-8 is replaced when it is decoded, and JSON holds NUL escaped alone. */
const MAY_BE_UNSTORABLE = /\\u(?:0000|d[89a-f])/i;
