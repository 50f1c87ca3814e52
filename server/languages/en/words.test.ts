import { describe, expect, it } from 'vitest';
import { plain } from '../typography.ts';
import { splitSentences } from './sentences.ts';
import { normalize, stopWordsOnly, termsOf } from './words.ts';

describe('the terms of a text', () => {
  it.each([
    [['cancel', 'cancelled', 'canceling', 'cancels']],
    [['deliver', 'delivers', 'delivered', 'delivering']],
    [['payment', 'payments']],
    [['organize', 'organise', 'organised', 'organizing', 'organising']],
    [['apologise', 'apologize']],
  ])('are the same for forms of a word: %j', (family) => {
    expect(new Set(family.map((word) => termsOf(word).join(' '))).size).toBe(1);
  });

  it.each([
    ['hour', 'whore'],
    ['return', 'refund'],
    ['promise', 'promote'],
    ['5', '50'],
  ])('differ where words do: %s, %s', (one, other) => {
    expect(termsOf(one)).not.toEqual(termsOf(other));
  });

  it('leave out what carries no meaning, in contractions too', () => {
    expect(termsOf("I'd like to know: what's your REFUND policy, please?")).toEqual(termsOf('refund policy'));
    expect(termsOf("The customer’s order can't be found")).toEqual(termsOf('customer order found'));
  });

  it('keep figures as they are written, and words of other languages', () => {
    expect(termsOf('From 8.30 to 17:00, 1,299 or 20% off')).toEqual(['8.30', '17:00', '1,299', '20%']);
    expect(termsOf('Öffnungszeiten 開店')).toEqual(['öffnungszeiten', '開店']);
  });

  it('are none in what names nothing', () => {
    for (const text of ['', '?!', 'What about it?', 'Can you tell me more?', 'ok thanks'])
      expect(stopWordsOnly(text), text).toBe(true);
    expect(stopWordsOnly('And the invoice?')).toBe(false);
  });
});

it('typography makes no difference', () => {
  expect(plain('“It’s” 5\u00a0kg \uff21')).toBe('"It\'s" 5 kg A');
  expect(normalize('WHAT’S UP? I’LL pay, don’t ask')).toBe('what is up? i will pay, do not ask');
});

it('sentences end at full stops, not in numbers, abbreviations and addresses', () => {
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
