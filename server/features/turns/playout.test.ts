import { describe, expect, it } from 'vitest';
import { estimatedDelivery, playedText } from './playout.ts';

const sentences = [
  { text: 'Your order left on Monday.', durationMs: 2000 },
  { text: 'It will be there on Thursday.', durationMs: 2000 },
  { text: 'Is there anything else?', durationMs: 1000 },
];

describe('playedText', () => {
  it('keeps nothing when nothing was played', () => {
    expect(playedText(sentences, 0)).toEqual({ text: '', isWhole: false });
  });

  it('keeps whole sentences and of the one that was cut off its whole words', () => {
    expect(playedText(sentences, 3000)).toEqual({
      text: 'Your order left on Monday. It will be',
      isWhole: false,
    });
  });

  it('ends at a sentence when the interruption fell between two', () => {
    expect(playedText(sentences, 2000).text).toBe('Your order left on Monday.');
  });

  it('says when everything was played', () => {
    expect(playedText(sentences, 5000)).toEqual({
      text: 'Your order left on Monday. It will be there on Thursday. Is there anything else?',
      isWhole: true,
    });
  });

  it('counts a sentence that came as text alone as read once everything before it was played', () => {
    const mixed = [{ text: 'First.', durationMs: 1000 }, { text: 'Second.', durationMs: null }, ...sentences];
    expect(playedText(mixed, 500).text).toBe('');
    expect(playedText(mixed, 1000).text).toBe('First. Second.');
  });

  it('estimates a reply whose audio is no longer remembered', () => {
    const { text, isWhole } = playedText(estimatedDelivery('One two three four five six seven eight.'), 1300);
    expect(isWhole).toBe(false);
    expect(text).toBe('One two three four');
  });
});
