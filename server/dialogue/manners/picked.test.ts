import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ReadingEngine } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { packOf } from '#server/languages/index';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import { picked as pickedBy } from './picked.ts';

const options = ['lost barcodes', 'wrong codes', 'locked accounts'];
const { signal } = new AbortController();
const picked = (reading: ReadingEngine | null, text: string, among: readonly string[], until: AbortSignal) =>
  pickedBy({ knowing: { reading }, language: packOf('en'), signal: until }, text, among);

describe('by words and order, without a reader', () => {
  test.each([
    ['the locked account', 2],
    ["It's about a lost barcode.", 0],
    ['wrong code please', 1],
    ['the first one', 0],
    ['Second.', 1],
    ['the third option', 2],
    ['the last one', 2],
  ])('%s', async (said, at) => {
    expect(await picked(null, said, options, signal)).toBe(at);
  });

  test.each([
    'none of these',
    'something else entirely',
    'the first time I came I had no card',
    'my account was fine yesterday but since this morning I cannot see any of my loans at all in there',
    '',
    '?!',
  ])('none: %s', async (said) => {
    expect(await picked(null, said, options, signal)).toBeNull();
  });

  test('an ordinal beyond the options picks none', async () => {
    expect(await picked(null, 'the third one', options.slice(0, 2), signal)).toBeNull();
    expect(await picked(null, 'the last one', [], signal)).toBeNull();
  });
});

describe('in other words', () => {
  const reading = createReading();
  beforeAll(() => engineReady(reading));
  afterAll(() => reading.close());

  test.each([
    ['being late to collect my kid', ['late pick-up', 'prices', 'holidays'], 0],
    ['what I have to pay', ['opening hours', 'prices and fees', 'parking'], 1],
  ])('%s', async (said, among, at) => {
    expect(await picked(reading, said, among, signal)).toBe(at);
  });

  test('what is far from all of them picks none', async () => {
    expect(await picked(reading, 'my neighbour plays the trumpet', options, signal)).toBeNull();
  });

  test('who gave up gets the reason, not an answer', async () => {
    const reason = new Error('The customer spoke.');
    await expect(
      picked(reading, 'my neighbour plays the trumpet', options, AbortSignal.abort(reason)),
    ).rejects.toBe(reason);
  });
});
