import { sentenceOf } from '#shared/refusals/refusal';
import { JsonLook, MAX_JSON_DEPTH } from './json-bounds.ts';

/**
 * Parses JSON from others. Deeper nesting than any real data is rejected before parsing: `JSON.parse` would
 * accept it, and recursive code would overflow.
 * @throws SyntaxError if it is not JSON or nests too deeply
 */
export function parseShallowJson(text: string): unknown {
  const bounds = { depth: MAX_JSON_DEPTH, values: Number.POSITIVE_INFINITY };
  const problem = new JsonLook(bounds).add(Buffer.from(text));
  if (problem !== null) throw new SyntaxError(sentenceOf(problem));
  return JSON.parse(text);
}
