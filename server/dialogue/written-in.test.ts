import { expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { isWrittenIn, sentencesWrittenIn } from './written-in.ts';

const { words } = packOf('en');
const talk = [
  'How long does delivery take?',
  'Shop › Delivery: We deliver in three to five days, returns are free.',
];
const inEnglish = sentencesWrittenIn(words, talk, true);

test.each([
  ['Delivery takes three to five days.', true],
  ['You would pay £347.50 up front, which is half of it.', true],
  ['Crown: £695.', true],
  ['Returns cost nothing.', true],
  ['Die Rechnung ist innerhalb von 14 Tagen fällig.', false],
  ['El plazo de devolución es de 14 días.', false],
  ['Levering duurt drie tot vijf dagen.', false],
  ['La livraison est gratuite dès 50 €.', false],
  ['Dostawa trwa od dwóch do trzech dni roboczych.', false],
  ['营业时间是九点到五点。', false],
])('in an English talk: %s', (text, expected) => {
  expect(inEnglish(text)).toBe(expected);
});

test('in another talk a sentence is English that reads like it', () => {
  const elsewhere = sentencesWrittenIn(words, ['Wie lange dauert die Lieferung?'], false);
  expect(elsewhere('Die Lieferung dauert drei Tage.')).toBe(false);
  expect(elsewhere('We can have that delivered to you in three days.')).toBe(true);
});

test.each([
  ['How long does that take?', true],
  ['Wie lange dauert die Lieferung?', false],
  ['¿Cuánto cuesta el envío a Canarias?', false],
])('a customer writes: %s', (text, expected) => {
  expect(isWrittenIn(text, words)).toBe(expected);
});
