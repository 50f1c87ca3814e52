import { expect, test } from 'vitest';
import { makeTitle } from './title.ts';

test.each([
  ['I want a refund for my damaged headphones', 'Refund For Damaged Headphones'],
  ['hello, I would like to cancel my order', 'Request To Cancel Order'],
  ['What are your opening hours?', 'Question About Opening Hours'],
  ['Can I return shoes without a receipt?', 'Return Shoes Without Receipt'],
])('%s → %s', (message, title) => {
  expect(makeTitle([message])).toBe(title);
});

test('it has three to six words in title case', () => {
  for (const message of [
    'refund?',
    'my package has not arrived although the tracking says that it was delivered three days ago',
    'How long do refunds take?',
    'Do you ship to Canada, and what does it cost?',
    'cancel',
    'I have been charged twice for order BW12345678!!',
  ]) {
    const title = makeTitle([message]) ?? '';
    expect(title.split(' ').length, title).toBeGreaterThanOrEqual(3);
    expect(title.split(' ').length, title).toBeLessThanOrEqual(6);
    for (const word of title.split(' ')) expect(word.charAt(0), title).toBe(word.charAt(0).toUpperCase());
  }
});

test('greetings and small talk give none; the first wish decides', () => {
  expect(makeTitle([])).toBeNull();
  expect(makeTitle(['hi', 'how are you?', 'thanks'])).toBeNull();
  expect(makeTitle(['hi', 'I need to reset my password'])).toBe('Request To Reset Password');
});
