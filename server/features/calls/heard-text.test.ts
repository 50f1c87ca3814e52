import { describe, expect, it } from 'vitest';
import { estimatedDelivery, heardText } from './heard-text.ts';

const sentences = [
  { text: 'Your order left on Monday.', durationMs: 2000 },
  { text: 'It will be there on Thursday.', durationMs: 2000 },
  { text: 'Is there anything else?', durationMs: 1000 },
];

describe('heardText', () => {
  it('keeps nothing when nothing was heard', () => {
    expect(heardText(sentences, 0)).toEqual({ text: '', complete: false });
  });

  it('keeps whole sentences and of the one that was cut off its whole words', () => {
    expect(heardText(sentences, 3000)).toEqual({
      text: 'Your order left on Monday. It will be',
      complete: false,
    });
  });

  it('ends at a sentence when the interruption fell between two', () => {
    expect(heardText(sentences, 2000).text).toBe('Your order left on Monday.');
  });

  it('says when everything was heard', () => {
    expect(heardText(sentences, 5000)).toEqual({
      text: 'Your order left on Monday. It will be there on Thursday. Is there anything else?',
      complete: true,
    });
  });

  it('counts a sentence that came as text alone as read once everything before it was heard', () => {
    const mixed = [{ text: 'First.', durationMs: 1000 }, { text: 'Second.', durationMs: null }, ...sentences];
    expect(heardText(mixed, 500).text).toBe('');
    expect(heardText(mixed, 1000).text).toBe('First. Second.');
  });

  it('estimates a reply whose audio is no longer remembered', () => {
    const { text, complete } = heardText(estimatedDelivery('One two three four five six seven eight.'), 1300);
    expect(complete).toBe(false);
    expect(text).toBe('One two three four');
  });
});
