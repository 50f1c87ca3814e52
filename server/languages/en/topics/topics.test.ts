import { expect, test } from 'vitest';
import { spokenTopic } from './topics.ts';

test.each([
  ['Returns & Refunds', 'returns and refunds'],
  ['DELIVERY TIMES', 'delivery times'],
  ['3.1 Opening hours', 'opening hours'],
  ['Late pick-up (after 6pm)', 'late pick-up'],
  ['Pets/animals', 'pets or animals'],
  ['VAT invoices', 'VAT invoices'],
  ['iPhone repairs', 'iPhone repairs'],
  ['**Wi-Fi**', 'wi-fi'],
  ['Change your password', 'how to change your password'],
  ['How do I change my password?', 'how to change your password'],
  ['Q: Do you deliver on Sundays?', 'whether we deliver on Sundays'],
  ['Opening Hours In December', 'opening hours in December'],
  ['When You May Cancel', 'when you may cancel'],
  ['Can I park my bike?', 'whether you can park your bike'],
  ['What should I bring?', 'what you should bring'],
  ['Which documents do I need?', 'which documents you need'],
  ['When do you open?', 'when we open'],
  ['How long does it take?', 'how long it takes'],
  ['How much does it cost to rent the hall?', 'how much it costs to rent the hall'],
  ['What is the deposit?', 'the deposit'],
  ['What happens if I miss my appointment?', 'what happens if you miss your appointment'],
])('%s is about %s', (heading, topic) => {
  expect(spokenTopic(heading)).toBe(topic);
});

test.each([
  '',
  '...',
  'FAQ',
  'About us',
  'Overview',
  'Contact',
  'price-list-may.pdf',
  'faq_2026',
  'Where are you?',
  'A very long heading that goes on and on for ever and never stops at all',
])('names no topic: "%s"', (heading) => {
  expect(spokenTopic(heading)).toBe('');
});
