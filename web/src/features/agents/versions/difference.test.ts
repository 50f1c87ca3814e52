import { expect, it } from 'vitest';
import { difference, linesOf, wordsOf } from './difference.ts';

const shown = (before: string, after: string) =>
  difference(linesOf(before), linesOf(after)).map(
    ({ kind, text }) => `${{ same: ' ', gone: '-', new: '+' }[kind]}${text}`,
  );

it('keeps what both have and tells what is gone and what is new', () => {
  expect(shown('a\nb\nc\nd', 'a\nc\nx\nd')).toEqual([' a', '-b', ' c', '+x', ' d']);
  expect(shown('a', 'a')).toEqual([' a']);
  expect(shown('a\na', 'a')).toEqual([' a', '-a']);
  expect(shown('b', 'a\nb\nc')).toEqual(['+a', ' b', '+c']);
});

it('takes texts that have nothing in common, however long, as one replaced by the other', () => {
  const lines = (word: string) => Array.from({ length: 3_000 }, (_, n) => `${word} ${n}`);
  const pieces = difference(['same', ...lines('old')], ['same', ...lines('new')]);
  expect(pieces).toHaveLength(6_001);
  expect(pieces[0]).toEqual({ kind: 'same', text: 'same' });
  expect(pieces.slice(1, 3_001).every(({ kind }) => kind === 'gone')).toBe(true);
});

it('parts a line into words that make the line again', () => {
  const line = '  Open from 9 am  to 6 pm. ';
  expect(wordsOf(line).join('')).toBe(line);
});
