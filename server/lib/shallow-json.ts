import { JsonLook, MAX_JSON_DEPTH } from './json-bounds.ts';

/**
 * Reads JSON that somebody else wrote. What nests deeper than anything that is meant to be read is refused before it is parsed:
 * `JSON.parse` would take it, and whatever walks through it would break.
 * @throws SyntaxError for what is no JSON, or nests too deeply
 */
export function parseShallowJson(text: string): unknown {
  const bounds = { depth: MAX_JSON_DEPTH, values: Number.POSITIVE_INFINITY };
  const problem = new JsonLook(bounds).add(Buffer.from(text));
  if (problem !== null) throw new SyntaxError(problem);
  return JSON.parse(text);
}
