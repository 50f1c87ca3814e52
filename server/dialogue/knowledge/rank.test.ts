import { expect, test } from 'vitest';
import { boundsIn, openingCondition } from './rank.ts';

test.each([
  ['Drivers under 25 pay a surcharge.', { from: 0, to: 25 }],
  ['Members must be at least 16.', { from: 16, to: Number.POSITIVE_INFINITY }],
  ['Residents of 65 or older pay half.', { from: 65, to: Number.POSITIVE_INFINITY }],
  ['For students between 18 and 28.', { from: 18, to: 28 }],
  ['Groups of ten or more get one free.', { from: 10, to: Number.POSITIVE_INFINITY }],
])('a bound that an age or number can be held against: %s', (text, bound) => {
  expect(boundsIn(text)).toContainEqual(bound);
});

test('a sentence without numbers sets no bound', () => {
  expect(boundsIn('Refunds take some time.')).toEqual([]);
});

test('a condition that a sentence opens with is told from what follows', () => {
  expect(openingCondition('For a different product, please place a new order.')).toMatchObject({
    words: 'a different product',
    rest: ' please place a new order.',
  });
  expect(openingCondition('If you smell gas, open the windows.')).toMatchObject({
    words: 'you smell gas',
    limits: 1,
  });
  expect(openingCondition('Items can be returned within 45 days.')).toBeNull();
});
