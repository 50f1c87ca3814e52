import { expect, test } from 'vitest';
import { contactAskedFor } from './asks-contact.ts';

test.each([
  ['What is your phone number?', 'Ring 0161 496 0000.', true],
  ['So what number do I call?', 'Write to jo@lantern.test.', false],
  ['How do I reach you by phone?', 'Phone: 1-503-555-0142', true],
  ["What's your e-mail, please?", 'jo@lantern.test', true],
  ['How can I contact you?', 'Write to jo@lantern.test.', true],
  ['How can I contact you?', 'We are closed on Sundays.', false],
])('%s — %s', (question, text, expected) => {
  expect(contactAskedFor(question)?.isIn(text)).toBe(expected);
});

test.each([
  'What is the phone number of the Leeds shop?',
  'Do you sell a phone with a large number pad?',
  'Can I change my email address?',
  'How can I contact you about a lost card?',
])('%s asks for more than that', (question) => {
  expect(contactAskedFor(question)).toBeNull();
});
