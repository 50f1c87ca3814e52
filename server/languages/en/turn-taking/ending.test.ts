import { expect, it } from 'vitest';
import { readEnding } from './ending.ts';

const STORY = 'i ordered a lamp and it came without its shade ';

it('reads how a long utterance ends as it reads a short one', () => {
  expect(readEnding(`${STORY.repeat(200)}. where is it?`, 'anything')).toBe('question');
  expect(readEnding(`${STORY.repeat(200)}and the`, 'anything')).toBe('unfinished');
});

it('cuts no word in two where it begins to read', () => {
  // Cut in the middle, only "the" would remain, which is no ending.
  expect(readEnding(`${'x'.repeat(2_000)}the`, 'code')).toBe(readEnding('xthe', 'code'));
});
