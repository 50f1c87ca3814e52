import { describe, expect, it } from 'vitest';
import { shareHeard, wordErrors, wordsOf } from './word-errors.ts';

describe('how words are counted', () => {
  it.each([
    ['How do I cancel it?', 'how do I cancel it'],
    ["I'd like that; it's fine.", 'I would like that, it is fine'],
    ['Um, is it, er, open?', 'Is it open?'],
    ['room two zero seven', 'room 207'],
    ['a hundred and forty three dollars', '$143'],
    ['twenty four dollars', '$24.00'],
    ['two hundred and seven', '207'],
    ['twenty-five dollars', '$25'],
    ['nineteen eighty four', '1984'],
    ['at six thirty', 'at 6:30'],
    ['the third of July', 'the 3rd of July'],
    ['The email is anna dot miller at example dot com', 'the email is anna dot miller at example.com'],
    ['Mister Green', 'Mr. Green'],
    ['The colour was cancelled', 'the color was canceled'],
    ['four seven two, nine one eight', '472-918'],
    ['to-night', 'tonight'],
  ])('takes "%s" and "%s" for the same', (said, heard) => {
    expect(wordsOf(heard)).toEqual(wordsOf(said));
  });

  it.each([
    ['is it fine', 'is it fine', 0],
    ['is it fine', 'it is fine', 2],
    ['is it fine', 'is fine', 1],
    ['is it fine', 'is it very fine', 1],
    ['is it fine', '', 3],
    ['it cannot be', 'it can be', 1],
    ['sixty', 'seventy', 1],
    ['the last one', 'the last two', 1],
  ])('of "%s" heard as "%s" counts %i', (said, heard, errors) => {
    expect(wordErrors(said, heard)).toEqual({ errors, words: wordsOf(said).length });
  });

  it.each([
    ['is it fine', 'Welcome. Is it, er, fine? Yes.', 1],
    ['within 45 days of delivery', 'within forty, five days of the livery', 5 / 6],
    ['is it fine', 'fine it is', 1 / 3],
    ['is it fine', '', 0],
  ])('of "%s" finds in "%s" the share %d', (said, heard, share) => {
    expect(shareHeard(said, heard)).toBeCloseTo(share);
  });
});
