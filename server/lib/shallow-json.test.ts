import { describe, expect, it } from 'vitest';
import { parseShallowJson } from './shallow-json.ts';

const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);

describe('parseShallowJson', () => {
  it.each(['null', '{"a":[1,{"b":"]]]"}]}', `"${'['.repeat(200)}"`, '"\\"[[["', '"\\\\"', nested(64)])(
    'reads %s',
    (text) => expect(parseShallowJson(text)).toEqual(JSON.parse(text)),
  );

  it.each([nested(65), '['.repeat(1_000_000), `["\\"",${'{"a":'.repeat(200)}`, `"\\\\"${nested(65)}`])(
    'refuses what nests too deeply',
    (text) => expect(() => parseShallowJson(text)).toThrow('at most 64 levels deep'),
  );

  it.each(['', '{', ']]', '"'])('refuses %j, which is none', (text) =>
    expect(() => parseShallowJson(text)).toThrow(SyntaxError),
  );
});
