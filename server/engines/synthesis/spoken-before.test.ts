import { describe, expect, it, vi } from 'vitest';
import { allOf } from '../../../tests/support/spoken.ts';
import type { SpokenPhrase, SynthesisEngine, SynthesisRequest } from './contract.ts';
import { rememberSpoken } from './spoken-before.ts';

const phrase = (text: string, samples = 10): SpokenPhrase => ({
  text,
  samples: new Float32Array(samples).fill(0.5),
  sampleRate: 22_050,
});

/** A voice that speaks one phrase at a time, each word a phrase. */
function aVoice(samples = 10) {
  const asked: SynthesisRequest[] = [];
  const engine: SynthesisEngine = {
    name: 'test',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    async *synthesize(request) {
      asked.push(request);
      for (const word of request.text.split(' ')) {
        if (word === 'broken') throw new Error('broken');
        yield phrase(word, samples);
      }
    },
    close: async () => {},
  };
  const voice = rememberSpoken(engine);
  const say = (text: string, more: Partial<SynthesisRequest> = {}) =>
    allOf(voice.synthesize({ text, urgency: 'first', ...more }));
  return { asked, voice, say };
}

describe('rememberSpoken', () => {
  it('answers a text that comes again with the very same sound', async () => {
    const { asked, say } = aVoice();
    const first = await say('Good morning.');
    const again = await say('Good morning.', { urgency: 'later', firstWordsSoon: true });
    expect(first.map(({ text }) => text)).toEqual(['Good', 'morning.']);
    expect(again.every((one, n) => one === first[n])).toBe(true);
    expect(asked).toHaveLength(1);
  });

  it('keeps languages apart', async () => {
    const { asked, say } = aVoice();
    await say('Hand', { language: 'de' });
    await say('Hand', { language: 'en' });
    expect(asked).toHaveLength(2);
  });

  it('hands a phrase on before the next one is made', async () => {
    const { voice } = aVoice();
    const phrases = voice.synthesize({ text: 'Good broken', urgency: 'first' })[Symbol.asyncIterator]();
    expect((await phrases.next()).value).toMatchObject({ text: 'Good' });
    await expect(phrases.next()).rejects.toThrow('broken');
  });

  it('does not remember what was not said to its end', async () => {
    const { asked, say, voice } = aVoice();
    await expect(say('Good broken')).rejects.toThrow('broken');
    await expect(say('Good broken')).rejects.toThrow('broken');
    for await (const _phrase of voice.synthesize({ text: 'Good day', urgency: 'first' })) break;
    expect((await say('Good day')).map(({ text }) => text)).toEqual(['Good', 'day']);
    expect(asked).toHaveLength(4);
  });

  it('forgets what was said longest ago when it has minutes of sound', async () => {
    const seconds = 22_050;
    const { asked, say } = aVoice(60 * seconds);
    await say('Welcome.');
    await say('Hello.');
    await say('Welcome.');
    await say('Goodbye.');
    await say('Welcome.');
    expect(asked.map(({ text }) => text)).toEqual(['Welcome.', 'Hello.', 'Goodbye.']);
    await say('Hello.');
    expect(asked).toHaveLength(4);
  });

  it('forgets what was not said again within minutes, whether or not somebody speaks', async () => {
    vi.useFakeTimers();
    try {
      const { asked, say } = aVoice();
      await say('Your code is 4471.');
      await vi.advanceTimersByTimeAsync(4 * 60_000);
      await say('Your code is 4471.');
      await vi.advanceTimersByTimeAsync(4 * 60_000);
      await say('Your code is 4471.');
      expect(asked).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(5 * 60_000 + 1_000);
      expect(vi.getTimerCount()).toBe(0);
      await say('Your code is 4471.');
      expect(asked).toHaveLength(2);
    } finally {
      vi.useRealTimers();
    }
  });

  it('gives up with the reason of its caller, also where it knows the text', async () => {
    const { say } = aVoice();
    await say('Welcome.');
    const reason = new Error('hung up');
    await expect(say('Welcome.', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});
