import { expect, it } from 'vitest';
import { Overlap } from './overlap.ts';

it('lets what was replaced hold for ten minutes more, and only the last of it', () => {
  let now = 0;
  const key = new Overlap('first', () => now);
  expect([key.now, key.valid]).toEqual(['first', ['first']]);
  key.replace('second');
  expect([key.now, key.valid]).toEqual(['second', ['second', 'first']]);
  now = 10 * 60_000 - 1;
  expect(key.valid).toEqual(['second', 'first']);
  now++;
  expect(key.valid).toEqual(['second']);
  key.replace('third');
  key.replace('fourth');
  expect(key.valid).toEqual(['fourth', 'third']);
});
