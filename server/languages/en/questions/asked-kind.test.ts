import { expect, test } from 'vitest';
import { hasAskedKind } from './asked-kind.ts';

test.each([
  ['How much is it?', 'It costs $5.'],
  ['How much does it cost?', 'It is free'],
  ['whats the fee', '£5'],
  ['How long does it take?', '3 to 5 business days'],
  ['How much notice do I have to give?', 'two weeks'],
  ['When do you open?', 'We open at 9 am'],
  ['What time is breakfast?', 'from 7.30'],
  ['What are your hours?', 'daily'],
  ['What are your hours?', '9-17, and 10 to 14 in winter'],
  ['How many guests?', 'up to four guests'],
  ['How old must I be?', 'You must be 18'],
  ['What is your phone number?', 'ring 0161 496 0000'],
  ["What's the e-mail address?", 'jo@lantern.test'],
])('%s — %s', (question, text) => {
  expect(hasAskedKind(question, text)).toBe(true);
});

test.each([
  ['How much is it?', 'Ask at the desk.'],
  ['How long does it take?', 'It costs $5.'],
  ['How long does it take?', 'It is quick.'],
  ['When do you open?', 'We are a family business.'],
  ['When is my next appointment?', 'An appointment costs £45 for 30 minutes.'],
  ['How many guests?', 'Guests are welcome.'],
  ['What is your phone number?', 'Ring us.'],
  ["What's the email address?", 'Write to us.'],
])('is missing: %s — %s', (question, text) => {
  expect(hasAskedKind(question, text)).toBe(false);
});

test.each([
  ['Can I bring my dog?', 'Dogs are welcome.'],
  ['How much luggage can I take?', 'One bag.'],
  ['How long is the cable?', 'It is of copper.'],
  ['Where are you?', 'In Leeds.'],
  ['', ''],
])('nothing of a form is asked for: %s', (question, text) => {
  expect(hasAskedKind(question, text)).toBeNull();
});
