import { expect, test } from 'vitest';
import { phrasesOf } from './phrases.ts';

test.each([
  [
    'Portland: 210 Harbor Street, open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.',
    ['Portland: 210 Harbor Street,', 'open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.'],
  ],
  ['You have 45 days, counted from delivery.', ['You have 45 days, counted from delivery.']],
  [
    'Standard delivery to Canada costs $1,450.00 and takes from six to nine business days.',
    ['Standard delivery to Canada costs $1,450.00 and takes from six to nine business days.'],
  ],
  [
    'Opened software (games, music, office programs and the like), gift cards and food cannot be returned.',
    ['Opened software (games, music, office programs and the like), gift cards and food cannot be returned.'],
  ],
  [
    'As long as they are complete and show no more than light signs of trying out, you can return most items.',
    [
      'As long as they are complete and show no more than light signs of trying out, you can return most items.',
    ],
  ],
])('%s', (sentence, pieces) => {
  expect(phrasesOf(sentence)).toEqual(pieces);
  expect(phrasesOf(sentence).join(' ')).toBe(sentence);
});
