import { expect, test } from 'vitest';
import { parseKnowledge } from './parse.ts';
import { readQuestion } from './question.ts';
import { tellList, tellRowFor, tellWays } from './tell.ts';

const rowsOf = (table: string) => parseKnowledge(table, []).units;
const delivery = rowsOf(
  '| Delivery | Price | Time |\n|---|---|---|\n| Canada | $24.00 | 6 to 9 business days |\n| Express | $14.90 | 1 day |',
);
const contact = rowsOf(
  '| Channel | Hours | Contact |\n|---|---|---|\n| Phone | Monday to Friday 7 am to 8 pm | 1-503-555-0142 |\n| Email | answered within 1 day | care@shop.example |',
);

test.each([
  ['How much is delivery to Canada?', 0, 'Delivery to Canada costs $24.00 and takes 6 to 9 business days.'],
  ['How much is express?', 1, 'Express: $14.90, 1 day.'],
])('a row is told as a person would: %s', (question, row, said) => {
  const unit = delivery[row];
  expect(unit && tellRowFor(unit, readQuestion(question))).toBe(said);
});

test('ways to get in touch become one sentence with what was asked for', () => {
  expect(tellWays(contact, readQuestion('How can I contact you?'))).toBe(
    'You can reach us by phone at 1-503-555-0142 or by email at care@shop.example.',
  );
  expect(tellWays(delivery, readQuestion('How can I contact you?'))).toBeNull();
});

test.each([
  ['The following cannot be returned:', ['opened software'], 'Opened software cannot be returned'],
  ['The following items are excluded:', ['gift cards', 'food'], 'Gift cards and food are excluded'],
  ['We accept:', ['Visa', 'cash'], 'We accept Visa and cash'],
  ['Bring along:', ['a photo ID'], 'Bring along: a photo ID'],
])('a list is told with what introduces it: %s', (leadIn, items, said) => {
  expect(tellList(leadIn, items)).toBe(said);
});
