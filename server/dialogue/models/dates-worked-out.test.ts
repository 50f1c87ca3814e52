import { expect, test } from 'vitest';
import { isDateWorkedOut } from './dates-worked-out.ts';

test.each([
  ['2026-12-26', ['2026-11-26'], [{ value: '30', unit: 'day' }], true],
  ['2026-12-10', ['2026-11-26'], [{ value: '2', unit: 'week' }], true],
  ['2027-02-26', ['2026-11-26'], [{ value: '3', unit: 'month' }], true],
  ['2026-11-12', ['2026-11-26'], [{ value: '14', unit: 'day' }], true],
  ['2026-12-20', ['2026-11-26'], [{ value: '30', unit: 'day' }], false],
  ['2026-12-26', ['2026-11-26'], [{ value: '30', unit: 'pound' }], false],
  ['2026-12-26', [], [{ value: '30', unit: 'day' }], false],
])('%s of %j and %j: %s', (date, from, figures, expected) => {
  expect(isDateWorkedOut(date, from, figures)).toBe(expected);
});
