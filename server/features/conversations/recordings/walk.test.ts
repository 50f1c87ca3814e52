import { expect, test } from 'vitest';
import { type Reader, walk } from './walk.ts';

test('a file that would be read in millions of steps is left alone', () => {
  let steps = 0;
  function* everyByte(): Reader {
    for (;;) {
      steps++;
      yield { take: 1 };
    }
  }
  const take = walk(everyByte());
  const piece = new Uint8Array(1_000_000);
  for (let n = 0; n < 4; n++) take(piece);
  expect(steps).toBeGreaterThan(2_000_000);
  expect(steps).toBeLessThan(3_100_000);
});
