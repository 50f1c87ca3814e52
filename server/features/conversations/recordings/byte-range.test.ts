import { describe, expect, it } from 'vitest';
import { readByteRange } from './byte-range.ts';

describe('a Range header', () => {
  it.each([
    ['bytes=0-', 0, 99],
    ['bytes=0-1', 0, 1],
    ['bytes=40-49', 40, 49],
    ['bytes=99-', 99, 99],
    ['bytes=99-99', 99, 99],
    ['bytes=90-1000', 90, 99],
    ['bytes=-10', 90, 99],
    ['bytes=-1000', 0, 99],
    ['Bytes=0-0', 0, 0],
  ])('%s of 100 bytes asks for %i to %i', (header, start, end) => {
    expect(readByteRange(header, 100)).toEqual({ start, end });
  });

  it.each(['bytes=100-', 'bytes=100-200', 'bytes=-0', 'bytes=999999999999999-'])(
    '%s of 100 bytes cannot be satisfied',
    (header) => {
      expect(readByteRange(header, 100)).toBe('unsatisfiable');
    },
  );

  it.each([
    undefined,
    '',
    'bytes',
    'bytes=',
    'bytes=-',
    'bytes=a-b',
    'bytes=5-4',
    'bytes=0-1,5-9',
    'bytes=1.5-2',
    'bytes= 0-1',
    'items=0-1',
    `bytes=${'9'.repeat(400)}-`,
  ])('%s asks for all of it', (header) => {
    expect(readByteRange(header, 100)).toBeNull();
  });
});
