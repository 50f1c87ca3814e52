import { describe, expect, it } from 'vitest';
import { allOf } from '../../../tests/support/spoken.ts';
import type { SpokenPhrase, SynthesisEngine, SynthesisRequest } from './contract.ts';
import { rememberSpoken, SpokenBefore } from './spoken-before.ts';

const phrase = (text: string, samples = 10): SpokenPhrase => ({
  text,
  samples: new Float32Array(samples).fill(0.5),
  sampleRate: 22_050,
});

/** A voice that speaks one phrase after the other, each word a phrase. */
function aVoice(maxBytes?: number) {
  const asked: SynthesisRequest[] = [];
  const engine: SynthesisEngine = {
    name: 'test',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    async *synthesize(request) {
      asked.push(request);
      for (const word of request.text.split(' ')) {
        if (word === 'broken') throw new Error('broken');
        yield phrase(word);
      }
    },
    close: async () => {},
  };
  const voice = rememberSpoken(engine, maxBytes);
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

  it('remembers nothing when told so', async () => {
    const { asked, say } = aVoice(0);
    await say('Welcome.');
    await say('Welcome.');
    expect(asked).toHaveLength(2);
  });

  it('gives up with the reason of its caller, also where it knows the text', async () => {
    const { say } = aVoice();
    await say('Welcome.');
    const reason = new Error('hung up');
    await expect(say('Welcome.', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason);
  });
});

describe('SpokenBefore', () => {
  /** Bytes of a phrase: four a sample. */
  const said = (bytes: number) => [phrase('x', bytes / 4)];

  it('answers what it was given', () => {
    const spoken = new SpokenBefore(100);
    const hello = said(40);
    spoken.set('hello', hello);
    expect(spoken.get('hello')).toBe(hello);
    expect(spoken.get('bye')).toBeNull();
  });

  it('forgets the least recently used one when it is full', () => {
    const spoken = new SpokenBefore(100);
    spoken.set('a', said(40));
    spoken.set('b', said(40));
    spoken.get('a');
    spoken.set('c', said(40));
    expect([spoken.get('a'), spoken.get('b'), spoken.get('c')].map((found) => found !== null)).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('counts a text that is given again once', () => {
    const spoken = new SpokenBefore(100);
    for (let time = 0; time < 10; time++) spoken.set('a', said(40));
    spoken.set('b', said(40));
    expect(spoken.get('a')).not.toBeNull();
    expect(spoken.get('b')).not.toBeNull();
  });

  it('keeps nothing that is larger than itself', () => {
    const spoken = new SpokenBefore(100);
    spoken.set('a', said(40));
    spoken.set('huge', said(104));
    expect(spoken.get('huge')).toBeNull();
    expect(spoken.get('a')).not.toBeNull();
  });
});
