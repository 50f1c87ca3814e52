import { describe, expect, it } from 'vitest';
import { breaths } from './breaths.ts';

describe('breaths', () => {
  it('leaves a sentence that can be said in one breath whole', () => {
    expect(breaths('Thanks for calling, how can I help you today?')).toEqual([
      'Thanks for calling, how can I help you today?',
    ]);
  });

  it('says sentence by sentence', () => {
    expect(
      breaths(
        'Hello. I can help. Your order arrives on Thursday, between nine AM and noon. Is that fine with you?',
      ),
    ).toEqual([
      'Hello.',
      'I can help.',
      'Your order arrives on Thursday, between nine AM and noon.',
      'Is that fine with you?',
    ]);
  });

  it('breathes at a comma of a long sentence', () => {
    const words =
      'If the parcel does not arrive within five business days after the date we gave you, please call us again, and we will send another one at once.';
    const pieces = breaths(words);
    expect(pieces.join(' ')).toBe(words);
    expect(pieces.slice(0, -1).every((piece) => piece.endsWith(','))).toBe(true);
  });

  it.each([
    ['words without a mark', 'word '.repeat(400).trim()],
    ['one word without an end', 'x'.repeat(1_000)],
    ['commas all over', 'a, '.repeat(400).trim()],
  ])('keeps every piece short and loses nothing: %s', (_what, words) => {
    const pieces = breaths(words);
    expect(Math.max(...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(120);
    expect(pieces.join('').replaceAll(' ', '')).toBe(words.replaceAll(' ', ''));
  });

  it('has nothing to say for nothing', () => {
    expect(breaths('')).toEqual([]);
  });
});
