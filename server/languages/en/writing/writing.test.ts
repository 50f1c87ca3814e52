import { expect, it } from 'vitest';
import { writing } from './writing.ts';

it.each([
  ['We deliver quickly.', 'quickly'],
  ['We will get back to you as soon as possible.', 'as soon as possible'],
  ['Refunds are made within a reasonable time.', 'within a reasonable time'],
  ['It takes a few days until your card comes.', 'a few days'],
  ['A small handling fee applies to orders from abroad.', 'small handling fee'],
  ['Bulky goods come at an additional cost.', 'additional cost'],
  ['Cancelling late costs you a cancellation fee.', 'a cancellation fee'],
  ['The offer holds for a limited time.', 'for a limited time'],
  ['You may bring a limited number of guests.', 'a limited number'],
])('hears a promise without its number: %s', (sentence, words) => {
  expect(writing.vagueIn(sentence)).toBe(words);
});

it.each([
  'Delivery takes 3 to 5 days.',
  'The fee is $5.',
  'You can cancel free of charge.',
  'Small items go into the letter box.',
  'Our quick start guide is in the box.',
  'Some shops are closed on Sundays.',
  'A link shares your dashboard quickly.',
])('hears none: %s', (sentence) => {
  expect(writing.vagueIn(sentence)).toBeNull();
});

const asked = (text: string) => writing.usualQuestions(text).map(([plainest]) => plainest);

it('asks about delivery and refunds where the business speaks of them', () => {
  expect(asked('We teach the piano.')).not.toContain('How long does delivery take?');
  expect(asked('Shipping is free.')).toContain('How long does delivery take?');
  expect(asked('Shipping is free.')).not.toContain('When do I get my refund?');
});

it.each(['Write to care@shop.example.', 'Call 0800 555 0122.', 'Phone 555-0100 at any time.'])(
  'does not ask how to be reached where that stands: %s',
  (text) => {
    expect(asked(text)).not.toContain('How can I reach you?');
  },
);
