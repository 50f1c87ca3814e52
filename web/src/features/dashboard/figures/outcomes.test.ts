import { expect, it } from 'vitest';
import { outcomeShare } from './outcomes.ts';

it('is the share of conversations that were answered, among those that asked something', () => {
  expect(outcomeShare({ answered: 6, offered: 1, declined: 1, handover: 1, social: 40 })).toEqual({
    counts: { answered: 6, offered: 1, declined: 1, handover: 1 },
    total: 9,
    percent: 67,
  });
});

it('is zero when there is nothing to count', () => {
  expect(outcomeShare({ teleported: 3 })).toMatchObject({ total: 0, percent: 0 });
});
