import { expect, it } from 'vitest';
import { readAtMost } from './read-at-most.ts';

const bytes = (...values: number[]) => Uint8Array.from(values);

it('reads to the end what fits', async () => {
  expect(await readAtMost([bytes(1, 2), bytes(3)], 3)).toEqual(Buffer.from([1, 2, 3]));
  expect(await readAtMost([], 0)).toEqual(Buffer.alloc(0));
});

it('leaves what is too long, and cancels the rest', async () => {
  let given = 0;
  let isCancelled = false;
  const endless = async function* () {
    try {
      for (;;) {
        given++;
        yield bytes(1, 2);
      }
    } finally {
      isCancelled = true;
    }
  };
  expect(await readAtMost(endless(), 3)).toBeNull();
  expect(given).toBe(2);
  expect(isCancelled).toBe(true);
});
