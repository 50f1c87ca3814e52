import { expect, test } from 'vitest';
import { expectedAnswer } from './expected-answer.ts';

test.each([
  ['Is that right?', 'yes-or-no'],
  ['I can do that. Would you like me to go ahead?', 'yes-or-no'],
  ['Is there anything else I can help you with?', 'yes-or-no'],
  ['How can I help you?', 'anything'],
  ['Can I help you?', 'anything'],
  ['May I have your order number?', 'code'],
  ['Please tell me your e-mail address.', 'email'],
  ['What number can I call you back on?', 'phone'],
  ['What is your phone number?', 'phone'],
  ['Which size would you like?', 'short'],
  ['When did you order it?', 'short'],
  ['We are open from nine to five.', 'anything'],
  ['', 'anything'],
])('what answers "%s" is %s', (said, expected) => {
  expect(expectedAnswer(said)).toBe(expected);
});
