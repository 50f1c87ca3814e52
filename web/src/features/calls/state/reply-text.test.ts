import { expect, it } from 'vitest';
import { replyParts } from './reply-text.ts';

const sentences = ['One.', 'Two.'].map((text, index) => ({ index, text }));

it('cuts a reply into its sentences and loses nothing between them', () => {
  expect(replyParts({ text: 'One.\n\nTwo. More', sentences })).toEqual([
    { at: 0, text: 'One.', index: 0 },
    { at: 4, text: '\n\n', index: null },
    { at: 6, text: 'Two.', index: 1 },
    { at: 10, text: ' More', index: null },
  ]);
});

it('finds repeated sentences one after the other', () => {
  const twice = [0, 1].map((index) => ({ index, text: 'No.' }));
  expect(replyParts({ text: 'No. No.', sentences: twice }).map((part) => part.index)).toEqual([0, null, 1]);
});

it('passes over a sentence that an interruption cut off', () => {
  expect(replyParts({ text: 'One. Tw', sentences })).toEqual([
    { at: 0, text: 'One.', index: 0 },
    { at: 4, text: ' Tw', index: null },
  ]);
});

it('is one part when it came as a whole', () => {
  expect(replyParts({ text: 'One. Two.', sentences: [] })).toEqual([
    { at: 0, text: 'One. Two.', index: null },
  ]);
});
