import { expect, test } from 'vitest';
import { askedInstead } from './asked-instead.ts';

test.each([
  ['And on Sundays?', 'Sundays', null],
  ['What about a tandem then?', 'tandem', null],
  ['No, I meant Melton.', 'Melton', null],
  ['Sorry, for a week I meant.', 'week', null],
  ['Not a wash, sorry, a trim.', 'trim', 'wash'],
  ['No, the credit card, not the debit one.', 'credit card', 'debit'],
  ['no not rye, the spelt', 'spelt', 'rye'],
  ['Actually make that the large one, please.', 'large', null],
])('"%s" asks for %s', (message, said, not) => {
  expect(askedInstead(message)).toMatchObject({ said, not });
});

test.each([
  'And how much is that?',
  'What do I have to bring?',
  "I'm not happy with it",
  'And with insurance?',
  'No.',
  'Sorry, what was that?',
  'My order came broken and the shop sent me to the maker',
  '',
])('asks for nothing in the place of something else: "%s"', (message) => {
  expect(askedInstead(message)).toBeNull();
});
