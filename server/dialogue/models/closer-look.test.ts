import { expect, it, vi } from 'vitest';
import { createFakeReading } from '#server/engines/reading/fake';
import { closerLookBy } from './closer-look.ts';

const never = new AbortController().signal;

it('tells how surely a sentence follows', async () => {
  const look = closerLookBy(createFakeReading(), never);
  expect(await look('Shops open early.', 'Shops open early on Mondays.')).toBe(9);
});

it.each([
  ['there is no reader', () => null],
  [
    'the reader is loading',
    () => ({ ...createFakeReading(), status: () => ({ state: 'loading' as const, message: 'Loading.' }) }),
  ],
  [
    'the reader fails',
    () => ({ ...createFakeReading(), entailment: () => Promise.reject(new Error('gone')) }),
  ],
])('knows nothing where %s', async (_, reading) => {
  expect(await closerLookBy(reading(), never)('Shops open early.', 'Shops open early.')).toBeNull();
});

it('looks at nothing where nothing was told', async () => {
  const entailment = vi.fn(createFakeReading().entailment);
  const look = closerLookBy({ ...createFakeReading(), entailment }, never);
  expect(await look('Shops open early.', '')).toBeNull();
  expect(entailment).not.toHaveBeenCalled();
});

it('ends with the turn', async () => {
  const turn = new AbortController();
  const waiting = closerLookBy(
    {
      ...createFakeReading(),
      entailment: (_sentence, _text, { signal } = {}) =>
        new Promise((_resolve, reject) =>
          signal?.addEventListener('abort', () => reject(new Error('cut off')), { once: true }),
        ),
    },
    turn.signal,
  )('Shops open early.', 'Shops open early.');
  const reason = new Error('Somebody spoke.');
  turn.abort(reason);
  await expect(waiting).rejects.toBe(reason);
});
