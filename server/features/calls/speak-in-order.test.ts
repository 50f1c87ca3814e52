import { describe, expect, it } from 'vitest';
import type { ReplyEvent } from '#server/dialogue/contract';
import type { Speech } from '#server/engines/synthesis/contract';
import { type Sentence, type SpokenSentence, speakInOrder } from './speak-in-order.ts';

const speechOf = (text: string): Speech => ({
  audio: new TextEncoder().encode(text),
  mediaType: 'audio/mpeg',
  durationMs: 100,
});

async function* replyOf(...texts: string[]): AsyncGenerator<ReplyEvent> {
  for (const [index, text] of texts.entries())
    yield { type: 'sentence', index, text, isLast: index === texts.length - 1 };
  yield { type: 'reply', text: texts.join(' '), citations: [], outcome: 'answered' };
}

/** A voice whose sentences are finished by hand, in any order. */
function voiceByHand() {
  const started: string[] = [];
  const finish = new Map<string, (speech: Speech | null) => void>();
  return {
    started,
    finish: (text: string) => finish.get(text)?.(speechOf(text)),
    say: ({ text }: Sentence) => {
      started.push(text);
      return new Promise<Speech | null>((resolve) => finish.set(text, resolve));
    },
  };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));
const signal = () => new AbortController().signal;

describe('speakInOrder', () => {
  it('speaks ahead within its bound and emits in order, whichever sentence is ready first', async () => {
    const voice = voiceByHand();
    const emitted: string[] = [];
    const whole = speakInOrder(replyOf('A.', 'B.', 'C.', 'D.'), {
      say: voice.say,
      emit: ({ text }) => emitted.push(text),
      lookAhead: 2,
      signal: signal(),
    });
    await settled();
    expect(voice.started).toEqual(['A.', 'B.']);
    voice.finish('B.');
    await settled();
    expect(emitted).toEqual([]);
    voice.finish('A.');
    await settled();
    expect(emitted).toEqual(['A.', 'B.']);
    expect(voice.started).toEqual(['A.', 'B.', 'C.', 'D.']);
    voice.finish('D.');
    voice.finish('C.');
    await expect(whole).resolves.toMatchObject({ text: 'A. B. C. D.' });
    expect(emitted).toEqual(['A.', 'B.', 'C.', 'D.']);
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
      emit: (s) => emitted.push(s),
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
      emit: ({ text }) => emitted.push(text),
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
