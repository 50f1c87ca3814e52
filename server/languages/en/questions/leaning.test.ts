import { expect, it } from 'vitest';
import { leaning } from './leaning.ts';

it.each([
  'And to Mexico?',
  'What about children?',
  'how about on Sundays',
  'Why?',
  'How much is it?',
  'How long does that take?',
  'Can you tell me more about that?',
])('goes on from what was said: %s', (text) => {
  expect(leaning(text)).not.toBe('no');
});

it.each(['And to Mexico?', 'Why?', 'So how much is it?', 'Really? When?'])(
  'means nothing without what was said: %s',
  (text) => {
    expect(leaning(text)).toBe('surely');
  },
);

it.each([
  'How long does a refund take?',
  'Is there a car park near the shop?',
  'Are you open this week on Friday evening?',
  'Do you deliver furniture to Mexico City?',
  'Do the rooms that you rent have balconies?',
  'My kettle was delivered broken on Monday and the shop sent me to the maker, who says the warranty of it ended last year.',
])('stands by itself: %s', (text) => {
  expect(leaning(text)).toBe('no');
});

it('a single topic may be a question of its own or more about the last one', () => {
  expect(leaning('Warranty?')).toBe('maybe');
  expect(leaning('Does it come with batteries?')).toBe('maybe');
});
