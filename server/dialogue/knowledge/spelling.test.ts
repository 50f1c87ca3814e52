import { expect, test } from 'vitest';
import { isKnownWord } from '#server/engines/reading/contract';
import { packOf } from '#server/languages/index';
import { spellingOf } from './spelling.ts';

const read = spellingOf(
  () => [
    'Delivery to Canada takes six days. Opening hours: Tuesday to Sunday.',
    'The warranty covers the kettle. Returns are free. Ask Marlow about tables and cables, and ashes.',
  ],
  packOf('en').words,
  isKnownWord,
);

test.each([
  ['how long is delivry to canda', 'how long is delivery to canada'],
  ['What are your oppening hours?', 'What are your opening hours?'],
  ['Warrenty on the kettel?', 'Warranty on the kettle?'],
  ['is there a edlivery on saturdays', 'is there a delivery on saturdays'],
])('a slip of one letter is read: %s', (typed, meant) => {
  expect(read(typed)).toBe(meant);
});

test.each([
  // Known words are not corrected, however similar.
  'Do you marry people in a marrow bed? Are there dog washes?',
  // Known by its stem already.
  'kettles returned',
  // Two are equally similar.
  'the fables and xables',
  // Addresses, numbers and short words are not corrected.
  'write to canda@kettel.test about delivry-42, opn',
  // More than one error.
  'delvry of wranty',
])('anything else stays: %s', (typed) => {
  expect(read(typed)).toBe(typed);
});
