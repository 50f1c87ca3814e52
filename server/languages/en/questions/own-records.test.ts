import { expect, test } from 'vitest';
import { needsOwnRecords } from './own-records.ts';

test.each([
  'Where is my order?',
  "Where's my parcel",
  'When is my next appointment?',
  'Has my parcel been shipped?',
  'Did my payment go through?',
  'Is my refund coming?',
  'When will my order arrive?',
  'Why was I charged twice?',
  'What is my balance?',
  'How much do I still owe?',
  'How many points do I have?',
  'Am I registered for the course?',
  'Can you check my booking?',
  'What is the status of my claim?',
  'I booked under Miller',
  'Do I have an appointment tomorrow?',
  'do i still have a booking',
  'My order number is 48213',
])('only who sees their records can say: %s', (message) => {
  expect(needsOwnRecords(message)).toBe(true);
});

test.each([
  'Where is your office?',
  'How do I cancel my order?',
  'How do I see my balance?',
  'How do I track my package?',
  'Where can I find my invoices?',
  'What is your return policy?',
  'How long do refunds take?',
  'How many days do I have to return it?',
  'Can I change my appointment?',
  'What happens to my deposit if I cancel?',
  'Where is my account page?',
  'Does the policy cover 2 people?',
  'Are your technicians insured?',
  'Do I have an appointment fee to pay?',
  'Is delivery free for orders 50 and over?',
  'Am I allowed to bring my dog?',
  '',
])('the company’s text may say: %s', (message) => {
  expect(needsOwnRecords(message)).toBe(false);
});
