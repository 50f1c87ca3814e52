import { describe, expect, it } from 'vitest';
import type { ReplyEvent, Sentence } from '#server/dialogue/contract';
import { soundOfText } from '#server/engines/encoding/fake';
import { type SpokenSentence, speakInOrder } from './speak-in-order.ts';
import type { SpokenWords } from './voice.ts';

async function* replyOf(...texts: string[]): AsyncGenerator<ReplyEvent> {
  for (const [index, text] of texts.entries())
    yield { type: 'sentence', index, text, isLast: index === texts.length - 1 };
  yield { type: 'reply', text: texts.join(' '), citations: [], outcome: 'answered' };
}

/** A voice whose sentences the test finishes, in any order. */
function voiceByHand() {
  const started: string[] = [];
  const finish = new Map<string, () => void>();
  return {
    started,
    finish: (text: string) => finish.get(text)?.(),
    /** A sentence with a bar comes in phrases, each finished by itself. */
    say: ({ text }: Sentence) => {
      started.push(text);
      const phrases = text.split('|');
      const finished = phrases.map((phrase) => new Promise<void>((resolve) => finish.set(phrase, resolve)));
      return (async function* (): AsyncGenerator<SpokenWords> {
        for (const [n, phrase] of phrases.entries()) {
          await finished[n];
          yield { text: phrase, speech: soundOfText(phrase), isLast: n === phrases.length - 1 };
        }
      })();
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const signal = () => new AbortController().signal;

describe('speakInOrder', () => {
  it('speaks ahead within its bound, one sentence after the other', async () => {
    const voice = voiceByHand();
    const emitted: string[] = [];
    let isOut = () => {};
    const whole = speakInOrder(replyOf('A1,|A2.', 'B.', 'C.', 'D.'), {
      say: voice.say,
      emit: ({ text }) => {
        emitted.push(text);
        return new Promise((resolve) => {
          isOut = resolve;
        });
      },
      lookAhead: 2,
      signal: signal(),
    });
    await settled();
    voice.finish('A1,');
    await settled();
    expect(emitted).toEqual(['A1,']);
    // Its second phrase is wanted before the next sentence.
    expect(voice.started).toEqual(['A1,|A2.']);
    voice.finish('A2.');
    await settled();
    expect(voice.started).toEqual(['A1,|A2.', 'B.']);
    voice.finish('B.');
    await settled();
    expect(voice.started).toEqual(['A1,|A2.', 'B.']);
    isOut();
    await settled();
    isOut();
    await settled();
    expect(emitted).toEqual(['A1,', 'A2.', 'B.']);
    expect(voice.started).toEqual(['A1,|A2.', 'B.', 'C.']);
    isOut();
    for (const text of ['C.', 'D.']) {
      await settled();
      voice.finish(text);
      await settled();
      isOut();
    }
    await expect(whole).resolves.toMatchObject({ text: 'A1,|A2. B. C. D.' });
    expect(emitted).toEqual(['A1,', 'A2.', 'B.', 'C.', 'D.']);
  });

  it('emits each phrase the moment it is spoken, counts on, and marks the last one of the last sentence', async () => {
    const voice = voiceByHand();
    const emitted: Omit<SpokenSentence, 'speech'>[] = [];
    const whole = speakInOrder(replyOf('A1,|A2.', 'B1,|B2.'), {
      say: voice.say,
      emit: ({ speech: _, ...rest }) => void emitted.push(rest),
      lookAhead: 2,
      signal: signal(),
    });
    await settled();
    voice.finish('A1,');
    await settled();
    expect(emitted).toEqual([{ index: 0, text: 'A1,', isLast: false }]);
    voice.finish('A2.');
    await settled();
    for (const phrase of ['B2.', 'B1,']) voice.finish(phrase);
    await whole;
    expect(emitted).toEqual([
      { index: 0, text: 'A1,', isLast: false },
      { index: 1, text: 'A2.', isLast: false },
      { index: 2, text: 'B1,', isLast: false },
      { index: 3, text: 'B2.', isLast: true, expects: null },
    ]);
  });

  it('makes more than the first words only when they are wanted', async () => {
    const voice = voiceByHand();
    const wanted: (() => void)[] = [];
    const whole = speakInOrder(replyOf('A1,|A2.', 'B.'), {
      say: voice.say,
      emit: () => {},
      past: () => new Promise((resolve) => wanted.push(resolve)),
      lookAhead: 2,
      signal: signal(),
    });
    await settled();
    expect(wanted).toHaveLength(0);
    for (const [n, phrase] of ['A1,', 'A2.', 'B.'].entries()) {
      voice.finish(phrase);
      await settled();
      expect(wanted).toHaveLength(Math.min(n + 1, 2));
      wanted[n]?.();
      await settled();
    }
    voice.finish('B.');
    await whole;
  });

  it('waits with the next one until the last one is out', async () => {
    const emitted: string[] = [];
    let isOut = () => {};
    const whole = speakInOrder(replyOf('A.', 'B.'), {
      say: () => null,
      emit: ({ text }) => {
        emitted.push(text);
        return new Promise((resolve) => {
          isOut = resolve;
        });
      },
      lookAhead: 2,
      signal: signal(),
    });
    await settled();
    expect(emitted).toEqual(['A.']);
    isOut();
    await settled();
    expect(emitted).toEqual(['A.', 'B.']);
    isOut();
    await whole;
  });

  it('emits text alone while the rest of the reply is still being made', async () => {
    let release = () => {};
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    async function* slow(): AsyncGenerator<ReplyEvent> {
      yield { type: 'sentence', index: 0, text: 'A.', isLast: false };
      await held;
      yield { type: 'sentence', index: 1, text: 'B.', isLast: true };
      yield { type: 'reply', text: 'A. B.', citations: [], outcome: 'answered' };
    }
    const emitted: SpokenSentence[] = [];
    const whole = speakInOrder(slow(), {
      say: () => null,
      emit: (s) => void emitted.push(s),
      lookAhead: 1,
      signal: signal(),
    });
    await settled();
    expect(emitted).toEqual([{ index: 0, text: 'A.', isLast: false, speech: null }]);
    release();
    await whole;
    expect(emitted).toHaveLength(2);
  });

  it('stops at once when it is aborted, though maker and voice ignore it, and tells the maker to stop', async () => {
    let isReturned = false;
    const endless: AsyncIterable<ReplyEvent> = {
      [Symbol.asyncIterator]: () => ({
        next: () => new Promise(() => {}),
        return: async () => {
          isReturned = true;
          return { done: true, value: undefined };
        },
      }),
    };
    const controller = new AbortController();
    const whole = speakInOrder(endless, {
      say: () => null,
      emit: () => {},
      lookAhead: 1,
      signal: controller.signal,
    });
    controller.abort(new Error('enough'));
    await expect(whole).rejects.toThrow('enough');
    expect(isReturned).toBe(true);
  });

  it('emits nothing after it was aborted', async () => {
    const voice = voiceByHand();
    const emitted: string[] = [];
    const controller = new AbortController();
    const whole = speakInOrder(replyOf('A.', 'B.'), {
      say: voice.say,
      emit: ({ text }) => void emitted.push(text),
      lookAhead: 2,
      signal: controller.signal,
    });
    await settled();
    controller.abort(new Error('enough'));
    voice.finish('A.');
    await expect(whole).rejects.toThrow('enough');
    await settled();
    expect(emitted).toEqual([]);
  });

  it('emits no further text when it is aborted by the very one who hears it', async () => {
    const emitted: string[] = [];
    const controller = new AbortController();
    const first = voiceByHand();
    const whole = speakInOrder(replyOf('A.', 'B.', 'C.'), {
      say: (sentence) => (sentence.index === 0 ? first.say(sentence) : null),
      emit: ({ text }) => {
        emitted.push(text);
        controller.abort(new Error('enough'));
      },
      lookAhead: 3,
      signal: controller.signal,
    });
    await settled();
    first.finish('A.');
    await expect(whole).rejects.toThrow('enough');
    expect(emitted).toEqual(['A.']);
  });

  it('fails with what the maker threw, without waiting for the voice', async () => {
    async function* broken(): AsyncGenerator<ReplyEvent> {
      yield { type: 'sentence', index: 0, text: 'A.', isLast: false };
      throw new Error('the model went away');
    }
    const voice = voiceByHand();
    const whole = speakInOrder(broken(), {
      say: voice.say,
      emit: () => {},
      lookAhead: 1,
      signal: signal(),
    });
    await expect(whole).rejects.toThrow('the model went away');
  });

  it('refuses a maker that ends without the whole reply', async () => {
    async function* cutShort(): AsyncGenerator<ReplyEvent> {
      yield { type: 'sentence', index: 0, text: 'A.', isLast: true };
    }
    const whole = speakInOrder(cutShort(), {
      say: () => null,
      emit: () => {},
      lookAhead: 1,
      signal: signal(),
    });
    await expect(whole).rejects.toThrow('without a whole reply');
  });
});
