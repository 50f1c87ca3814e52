import { expect, it } from 'vitest';
import { type Refusal, sentenceOf } from '#shared/refusals/refusal';
import { JsonLook } from './json-bounds.ts';

const BOUNDS = { depth: 3, values: 5 };
const look = (json: string, size = json.length) => {
  const looking = new JsonLook(BOUNDS);
  const bytes = Buffer.from(json);
  let found: Refusal | null = null;
  for (let at = 0; at < bytes.length; at += size) found = looking.add(bytes.subarray(at, at + size)) ?? found;
  return found && sentenceOf(found);
};
const TOO_DEEP = 'Nest JSON at most 3 levels deep.';
const TOO_MUCH = 'Send at most 5 values at a time.';

it.each([
  ['depth that is allowed', '[[{"a":1}]]', null],
  ['depth that is not', '[[{"a":[1]}]]', TOO_DEEP],
  ['depth that is never closed', '['.repeat(1_000_000), TOO_DEEP],
  ['depth that comes and goes', '{"a":[],"b":[],"c":[]}', TOO_MUCH],
  ['values that are allowed', '[1,2,3,4,5]', null],
  ['values that are not', '[1,2,3,4,5,6]', TOO_MUCH],
  ['small objects', '[{},{},{},{}]', TOO_MUCH],
  ['the same in a text', '{"a":"[[[[[[[[,,,,,,,,{{{{"}', null],
  ['a text with quotes and backslashes in it', '{"a":"\\\\","b":"\\"[[[[,,,,,,","c":"\\\\\\"[[[["}', null],
  ['what follows a text that ends in a backslash', '["\\\\",[[[1]]]]', TOO_DEEP],
  ['letters of other scripts, whose bytes are none of JSON’s own', '{"a":"客服śřđ💣"}', null],
  ['a text that never ends', '{"a":"[[[[[[', null],
  ['more ends than beginnings', ']]]]]}}}}', null],
])('sees %s, wherever it is cut', (_what, json, found) => {
  for (const size of [1, 2, 3, 7, 10_000_000])
    if (size > 2 || json.length < 1_000) expect(look(json, size)).toBe(found);
});
