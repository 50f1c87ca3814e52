import { expect, it } from 'vitest';
import { satisfaction } from './satisfaction.ts';

it('is the share of conversations that were positive or neutral', () => {
  expect(satisfaction({ positive: 3, neutral: 2, negative: 2, urgent: 1 })).toMatchObject({
    total: 8,
    percent: 63,
  });
});

it('counts an unknown label as neutral', () => {
  expect(satisfaction({ ecstatic: 2, negative: 2 })).toEqual({
    counts: { positive: 0, neutral: 2, negative: 2, urgent: 0 },
    total: 4,
    percent: 50,
  });
});

it('is zero when there is nothing to count', () => {
  expect(satisfaction({})).toMatchObject({ total: 0, percent: 0 });
});
