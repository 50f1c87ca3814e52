import { expect, test } from 'vitest';
import { withoutNegated } from './vague.ts';

test.each([
  ['How much is it to Canada, no wait, Mexico?', 'How much is it to Mexico?'],
  ['I want to freeze, no, cancel just the classes', 'I want to cancel just the classes'],
  ['Not the desk in Leeds, the one in York.', 'the one in York.'],
  ['No, not Canada, Mexico.', 'Mexico.'],
  ["It's a motorbike we bring, not the van.", "It's a motorbike we bring."],
  ['Not a refund, just cancel', 'just cancel'],
  ['And for the kettle, sorry, the toaster, how long is it?', 'And for the toaster, how long is it?'],
  ['Could we come on the second, er no, on the third of May?', 'Could we come on the third of May?'],
  ['A table in pine, no, in beech, what is that?', 'A table in beech, what is that?'],
])('what is not meant is left out: %s', (said, meant) => {
  expect(withoutNegated(said)).toBe(meant);
});

test.each([
  'Is there no parking at all?',
  'Do you have a pool, no matter which?',
  'Why is it not refundable?',
  'The kettle does not work.',
  'Not refundable?',
  'Can I bring a dog, or not?',
  'My lamp came broken. Sorry, the shop told me to ring you.',
  'Is it far from the station, sorry, I know nothing of the town?',
])('what belongs to the question stays: %s', (said) => {
  expect(withoutNegated(said)).toBe(said);
});
