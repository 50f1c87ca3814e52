import { expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { isWorkedOut } from './worked-out.ts';

const { figuresIn } = packOf('en').claims;

test.each([
  ['half of what a crown costs', '£347.50', 'A crown costs £695.', true],
  ['three of them', '36 pounds', 'A ticket is £12. For three adults, please.', true],
  ['a sum', '$54', 'Installation $45, call-out $9.', true],
  ['a difference', '12 days', 'Within 30 days. I bought it 18 days ago.', true],
  ['a discount', '$80', 'It is $100, and members pay 20% less.', true],
  ['a part in per cent', '€5', '10% of €50', true],
  ['two steps', '£41', 'Adults £12, children £5. We are three adults and one child.', true],
  [
    'a number that only chance makes',
    '£755',
    'Mon 8.30–5.00, Tue 8.30–7.00. Crown £695, check-up £42 or £21.',
    false,
  ],
  ['another number', '£350', 'A crown costs £695.', false],
  ['another unit', '347.5 days', 'A crown costs £695.', false],
  ['nothing to calculate with', '£5', 'It is free.', false],
])('%s', (_, said, known, expected) => {
  const [figure] = figuresIn(said);
  if (!figure) throw new Error('There is no figure.');
  const figures = figuresIn(known);
  expect(isWorkedOut(figure, figures, figures)).toBe(expected);
});

test('takes a list of many times and prices in its stride', () => {
  const price = (n: number) =>
    `Item ${n} costs £${100 + 7 * n}.37 for ${n + 1} days, ${n} hours or ${n + 2} weeks, ${n} % off.`;
  const told = Array.from(
    { length: 40 },
    (_, n) => `${price(n)} Open ${n % 12}.${10 + n}–${(n + 5) % 12}.30.`,
  );
  const figures = figuresIn(told.join(' '));
  expect(figures.length).toBeGreaterThan(200);
  expect(isWorkedOut({ value: '123456.78', unit: 'pound' }, figures, figures)).toBe(false);
});
