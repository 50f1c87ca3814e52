import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SpokenSentence } from '../speak-in-order.ts';
import { Replies } from './replies.ts';

const speech = { samples: new Float32Array(1), sampleRate: 16_000 };
const sentence = (text: string, more: Partial<SpokenSentence & { responseId: string }> = {}) => ({
  responseId: 'a',
  index: 0,
  text,
  isLast: false,
  speech,
  ...more,
});

let shown: string[];
let replies: Replies;
beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  replies = new Replies((words) => shown.push(words));
});
afterEach(() => {
  replies.close();
  vi.useRealTimers();
});

describe('the reply to what was said', () => {
  it('can be called off until it is heard, once', () => {
    replies.expect('a');
    replies.add(sentence('One.'));
    expect(replies.takeUnheard()).toBe('a');
    expect(replies.takeUnheard()).toBeNull();
  });

  it('cannot be called off any more when it is heard', () => {
    replies.expect('a');
    replies.isHeard('a');
    expect(replies.takeUnheard()).toBeNull();
    vi.advanceTimersByTime(60_000);
    expect(shown).toEqual([]);
  });

  it('counts as shown when it has no voice', () => {
    replies.expect('a');
    replies.add(sentence('One.', { speech: null }));
    expect(shown).toEqual([]);
    replies.add(sentence('Two.', { speech: null, isLast: true }));
    expect(shown).toEqual(['One. Two.']);
  });

  it('counts as shown when nobody plays it', () => {
    replies.expect('a');
    replies.add(sentence('One.'));
    vi.advanceTimersByTime(2_900);
    replies.add(sentence('Two.', { isLast: true }));
    expect(shown).toEqual([]);
    vi.advanceTimersByTime(200);
    expect(shown).toEqual(['One. Two.']);
  });

  it('is not waited for when it failed', () => {
    replies.expect('a');
    replies.isSettled('a');
    expect(shown).toEqual(['']);
    expect(replies.takeUnheard()).toBeNull();
  });

  it('is known by its words, also when they came before it was expected; old ones are forgotten', () => {
    replies.add(sentence('One.', { speech: null, isLast: true }));
    replies.expect('a');
    expect(shown).toEqual(['One.']);
    for (const responseId of ['b', 'c', 'd', 'e']) replies.add(sentence('Other.', { responseId }));
    expect([replies.wordsOf('a'), replies.wordsOf('e')]).toEqual([null, 'Other.']);
  });
});
