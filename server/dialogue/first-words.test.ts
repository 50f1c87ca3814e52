import { expect, test } from 'vitest';
import type { ReplyEvent } from './contract.ts';
import { divide, firstWordsSoon } from './first-words.ts';

test.each([
  [
    'Portland: 210 Harbor Street, open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.',
    ['Portland: 210 Harbor Street,', 'open Monday to Saturday 10 am to 8 pm and Sunday 11 am to 6 pm.'],
  ],
  ['You have 45 days, counted from delivery.', ['You have 45 days, counted from delivery.']],
  [
    'Standard delivery to Canada costs $1,450.00 and takes from six to nine business days.',
    ['Standard delivery to Canada costs $1,450.00 and takes from six to nine business days.'],
  ],
  [
    'Opened software (games, music, office programs and the like), gift cards and food cannot be returned.',
    ['Opened software (games, music, office programs and the like), gift cards and food cannot be returned.'],
  ],
  [
    'As long as they are complete and show no more than light signs of trying out, you can return most items.',
    [
      'As long as they are complete and show no more than light signs of trying out, you can return most items.',
    ],
  ],
])('%s', (sentence, pieces) => {
  expect(divide(sentence)).toEqual(pieces);
  expect(divide(sentence).join(' ')).toBe(sentence);
});

async function* reply(...sentences: string[]): AsyncGenerator<ReplyEvent> {
  for (const [index, text] of sentences.entries())
    yield { type: 'sentence', index, text, isLast: index === sentences.length - 1 };
  yield { type: 'reply', text: sentences.join(' '), citations: [], outcome: 'answered' };
}

async function eventsOf(...sentences: string[]): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = [];
  for await (const event of firstWordsSoon(reply(...sentences))) events.push(event);
  return events;
}

const LONG = 'Delivery takes three to five days, and it is free from fifty dollars within the country.';

test('only the first sentence is divided, and the count goes on', async () => {
  expect(await eventsOf(LONG, LONG)).toMatchObject([
    { index: 0, text: 'Delivery takes three to five days,', isLast: false },
    { index: 1, text: 'and it is free from fifty dollars within the country.', isLast: false },
    { index: 2, text: LONG, isLast: true },
    { type: 'reply', text: `${LONG} ${LONG}` },
  ]);
});

test('the last piece of a reply of one sentence is the last', async () => {
  expect((await eventsOf(LONG)).map((event) => event.type === 'sentence' && event.isLast)).toEqual([
    false,
    true,
    false,
  ]);
});
