import { expect, it } from 'vitest';
import { Settled } from './settled.ts';

it('counts everything that is seen while nobody writes', () => {
  const settled = new Settled();
  settled.see({ newest: 3, writers: [] });
  expect([settled.upTo, settled.isWaiting]).toEqual([3, false]);
});

it('counts what is seen once everybody who wrote then is done, however many write by now', () => {
  const settled = new Settled();
  settled.see({ newest: 7, writers: ['a', 'b'] });
  expect([settled.upTo, settled.isWaiting]).toEqual([0, true]);
  settled.see({ newest: 9, writers: ['b', 'c'] });
  expect(settled.upTo).toBe(0);
  settled.see({ newest: 12, writers: ['c'] });
  expect([settled.upTo, settled.isWaiting]).toEqual([7, true]);
  settled.see({ newest: 12, writers: [] });
  expect([settled.upTo, settled.isWaiting]).toEqual([12, false]);
});

it('waits for nobody where nothing is new', () => {
  const settled = new Settled();
  settled.see({ newest: 7, writers: [] });
  settled.see({ newest: 7, writers: ['a'] });
  expect([settled.upTo, settled.isWaiting]).toEqual([7, false]);
});
