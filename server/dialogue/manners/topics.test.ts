import { expect, test } from 'vitest';
import { readPassages } from '../passages/read.ts';
import { spokenTopic, topicOf } from './topics.ts';

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
  ['Q: Do you deliver on Sundays?', 'whether we deliver on sundays'],
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
  'Where are you?',
  'A very long heading that goes on and on for ever and never stops at all',
])('names no topic: "%s"', (heading) => {
  expect(spokenTopic(heading)).toBe('');
});

function topicsIn(text: string): string[] {
  return readPassages(text).map((passage) => topicOf(passage));
}

test('a passage is about its own heading, else about the one above', () => {
  expect(topicsIn('# Mill\n\n## Returns\n\nWithin 45 days.\n\n## FAQ\n\nWe are here.')).toEqual([
    'returns',
    'mill',
  ]);
});

test('an answer is about its question', () => {
  expect(topicsIn('## Booking\n\nQ: Can I park my bike?\nA: Yes, in the yard behind the house.')).toContain(
    'whether you can park your bike',
  );
});

test('in a list of many things it is the thing itself', () => {
  const [passage] = readPassages(
    '## Prices\n\n- Upright piano: £95\n- Grand piano: £180\n- Harp: £60\n- Drum kit: £40\n- Organ: £300',
  );
  expect(passage && topicOf(passage, 2)).toBe('harp');
  expect(passage && topicOf(passage)).toBe('prices');
});
