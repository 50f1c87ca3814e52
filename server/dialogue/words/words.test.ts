import { expect, test } from 'vitest';
import { splitSentences } from './sentences.ts';
import { editDistance, nearestWord } from './spelling.ts';
import { stem } from './stem.ts';
import { contentStems, tokenize } from './tokens.ts';

test('forms and derivations of a word share a stem', () => {
  for (const family of [
    ['cancel', 'cancelled', 'canceling', 'cancellation', 'cancellations'],
    ['deliver', 'delivery', 'deliveries', 'delivered'],
    ['pay', 'paid', 'payment', 'payments'],
    ['break', 'broken', 'broke'],
    ['organize', 'organise', 'organised'],
    ['color', 'colour', 'colours'],
  ])
    expect(new Set(family.map(stem)).size, family.join()).toBe(1);
});

test('different words keep different stems', () => {
  for (const [a = '', b = ''] of [
    ['hour', 'hore'],
    ['return', 'refund'],
    ['promise', 'promote'],
  ])
    expect(stem(a), `${a} ${b}`).not.toBe(stem(b));
});

test('contractions and words in several pieces are read as one word', () => {
  expect(contentStems("I'd like my money back")).toEqual(['refund']);
  expect(contentStems("What's your wi-fi pass-word?")).toEqual(contentStems('what is your wifi password'));
});

test('a capital names something inside a sentence, not at its start', () => {
  const names = tokenize('Delivery to Canada. Returns are free. The Team plan').filter((t) => t.isName);
  expect(names.map((t) => t.word)).toEqual(['canada', 'team']);
});

test('sentences end at full stops, not in numbers, abbreviations and addresses', () => {
  expect(
    splitSentences(
      'It costs $5.90, e.g. for books. Open until 8 p.m. on Mondays. Ask Dr. Lind! See a.example.',
    ),
  ).toEqual([
    'It costs $5.90, e.g. for books.',
    'Open until 8 p.m. on Mondays.',
    'Ask Dr. Lind!',
    'See a.example.',
  ]);
});

test('a mistyped word is put right when one is near', () => {
  const vocabulary = ['refund', 'delivery', 'return', 'studio'];
  expect(nearestWord('refnud', vocabulary, () => 0)).toBe('refund');
  expect(nearestWord('delivry', vocabulary, () => 0)).toBe('delivery');
  expect(nearestWord('balloon', vocabulary, () => 0)).toBeNull();
});

test('edit distance counts a swap once and stops at its limit', () => {
  expect(editDistance('oder', 'order', 2)).toBe(1);
  expect(editDistance('recieve', 'receive', 2)).toBe(1);
  expect(editDistance('cat', 'elephant', 2)).toBe(3);
});
