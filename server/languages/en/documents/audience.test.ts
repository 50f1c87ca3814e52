import { expect, test } from 'vitest';
import { audienceOf, toCustomer } from './audience.ts';

test.each([
  ['The user needs to confirm the order id.', 'You need to confirm the order id.'],
  ['The agent will not be able to modify the order.', 'We will not be able to modify the order.'],
  ['After user confirmation, you change the address.', 'After your confirmation, we change the address.'],
  ['The customer is charged once and has 5 days.', 'You are charged once and has 5 days.'],
  ["You must verify the customer's identity by email.", 'We must verify your identity by email.'],
  ['Ask the customer for the receipt.', 'We ask you for the receipt.'],
  ['The refund goes to the customer within 5 to 7 days.', 'The refund goes to you within 5 to 7 days.'],
])('policy text for agents is said to the customer: %s', (text, said) => {
  expect(toCustomer(text, 'agent')).toBe(said);
});

test('text for customers stays as it is', () => {
  const text = 'You can return the item; the customer service desk is on floor 2.';
  expect(toCustomer(text, 'customer')).toBe(text);
});

test('numbers, prices and codes survive', () => {
  const text =
    'The customer pays $30 per passenger, 1,000 miles cost EUR 9.90 and ref AB-12 is kept for 5 to 7 days.';
  for (const fact of ['$30', '1,000', '9.90', 'AB-12', '5 to 7'])
    expect(toCustomer(text, 'agent')).toContain(fact);
});

test('who a text speaks to is told from how it names people', () => {
  expect(
    audienceOf(
      'You must verify the user by email. The user needs an id. You should list the details to the user.',
    ),
  ).toBe('agent');
  expect(audienceOf('You can return items within 45 days. We deliver to Canada.')).toBe('customer');
  expect(audienceOf('The customer can cancel for free. Each customer has one account.')).toBe('of-customer');
});
