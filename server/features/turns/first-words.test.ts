import { setImmediate as settle } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { FirstWords } from './first-words.ts';

const HOUR = 3_600_000;
const never = new AbortController().signal;

/** Whether it has resolved by now. */
async function isOver(promise: Promise<void>): Promise<boolean> {
  let over = false;
  promise.then(
    () => {
      over = true;
    },
    () => {},
  );
  await settle();
  return over;
}

it('lets the rest of a reply be made at once while nobody waits', async () => {
  expect(await isOver(new FirstWords().past(HOUR, never))).toBe(true);
});

it('keeps it until nobody waits for first words any more', async () => {
  const firstWords = new FirstWords();
  const [one, two] = [firstWords.begin(), firstWords.begin()];
  const rest = firstWords.past(HOUR, never);
  one();
  one();
  expect(await isOver(rest)).toBe(false);
  two();
  expect(await isOver(rest)).toBe(true);
  firstWords.begin();
  expect(await isOver(firstWords.past(HOUR, never))).toBe(false);
});

it('does not keep what is needed soon', async () => {
  const firstWords = new FirstWords();
  firstWords.begin();
  expect(await isOver(firstWords.past(0, never))).toBe(true);
  expect(await isOver(firstWords.past(2_500, never))).toBe(true);
  // Its time comes although a listener waits all the while.
  await firstWords.past(2_501, never);
});

it('has a crowd while more than eight wait', () => {
  const firstWords = new FirstWords();
  const waiting = Array.from({ length: 8 }, () => firstWords.begin());
  expect(firstWords.isCrowded).toBe(false);
  const ninth = firstWords.begin();
  expect(firstWords.isCrowded).toBe(true);
  ninth();
  expect(firstWords.isCrowded).toBe(false);
  for (const out of waiting) out();
  expect(firstWords.isCrowded).toBe(false);
});

it('gives up with the reply', async () => {
  const firstWords = new FirstWords();
  firstWords.begin();
  const stop = new AbortController();
  const rest = firstWords.past(HOUR, stop.signal);
  stop.abort(new Error('Somebody took the floor.'));
  await expect(rest).rejects.toThrow('Somebody took the floor.');
});
