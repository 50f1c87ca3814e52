import { expect, test } from 'vitest';
import { packOf } from '#server/languages/index';
import { readPassages } from '../passages/read.ts';
import { topicOf } from './topics.ts';

const english = packOf('en');

function topicsIn(text: string): string[] {
  return readPassages(text, english).map((passage) => topicOf(passage, english));
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
    english,
  );
  expect(passage && topicOf(passage, english, 2)).toBe('harp');
  expect(passage && topicOf(passage, english)).toBe('prices');
});
