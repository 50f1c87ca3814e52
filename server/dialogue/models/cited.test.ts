import { expect, test } from 'vitest';
import { tidied, withoutCitations } from './cited.ts';

async function read(text: string, size: number) {
  async function* pieces() {
    for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size);
  }
  const cited: number[] = [];
  let rest = '';
  for await (const piece of withoutCitations(pieces(), (n) => cited.push(n))) rest += piece;
  return { text: tidied(rest), cited };
}

test.each([1, 2, 3, 5, 100])('numbers in brackets are taken out, cut every %i characters', async (size) => {
  expect(await read('You have 45 days [2]. Shoes, too [1, 3], not [sale] items.[4]', size)).toEqual({
    text: 'You have 45 days. Shoes, too, not [sale] items.',
    cited: [2, 1, 3, 4],
  });
});

test('a bracket that never closes is not waited for for ever', async () => {
  expect((await read('A list [1, 2, 3, 4, 5, 6, 7', 3)).text).toBe('A list [1, 2, 3, 4, 5, 6, 7');
});
