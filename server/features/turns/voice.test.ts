import { describe, expect, it } from 'vitest';
import { soundOfText } from '#server/engines/encoding/fake';
import type { SpokenPhrase, SynthesisEngine, SynthesisRequest } from '#server/engines/synthesis/contract';
import { allOf } from '../../../tests/support/spoken.ts';
import { Voice } from './voice.ts';

const phrase = (text: string): SpokenPhrase => ({ text, ...soundOfText(text) });

async function* inOnePhrase({ text }: SynthesisRequest) {
  yield phrase(text);
}

async function* never(): AsyncGenerator<SpokenPhrase> {
  await new Promise(() => {});
}

function engine(overrides: Partial<SynthesisEngine> = {}): SynthesisEngine {
  return {
    name: 'test',
    status: () => ({ state: 'ready', message: 'Ready.' }),
    synthesize: inOnePhrase,
    close: async () => {},
    ...overrides,
  };
}

const sentence = (index: number, text = `Sentence ${index}.`) => ({ index, text, isLast: false });
const signal = () => new AbortController().signal;

function voiceWith(
  overrides: Partial<SynthesisEngine>,
  sentenceTimeoutMs = 1000,
  readWaitMs = 1_000,
  isCrowded = () => false,
) {
  const failures: unknown[] = [];
  const onFailure = (error: unknown) => failures.push(error);
  const options = { sentenceTimeoutMs, readWaitMs, isCrowded, onFailure };
  const voice = new Voice(engine(overrides), options);
  /** A spoken reply, with the received parts of its words: text, and whether with sound. */
  const reply = (abort = signal()) => {
    const speaker = voice.forReply('en', abort);
    return async (said: ReturnType<typeof sentence>) => {
      const words = speaker.say(said);
      return words && (await allOf(words)).map(({ text, speech }) => [text, speech !== null]);
    };
  };
  return { voice, failures, reply };
}

describe('Voice', () => {
  it('asks for the first sentence of a reply with urgency, and for its first words soon', async () => {
    const asked: unknown[] = [];
    const { reply } = voiceWith({
      synthesize: ({ signal: _, ...request }) => {
        asked.push(request);
        return inOnePhrase(request);
      },
    });
    const say = reply();
    for (const index of [0, 1, 2]) await say(sentence(index));
    expect(asked).toEqual([
      { text: 'Sentence 0.', language: 'en', urgency: 'first', firstWordsSoon: true },
      { text: 'Sentence 1.', language: 'en', urgency: 'later', firstWordsSoon: false },
      { text: 'Sentence 2.', language: 'en', urgency: 'later', firstWordsSoon: false },
    ]);
  });

  it('hands each phrase on with its own sound, and says which is the last', async () => {
    const phrases = [phrase('Well,'), phrase('that depends.')];
    const { voice } = voiceWith({
      async *synthesize() {
        yield* phrases;
      },
    });
    const words = voice.forReply('en', signal()).say(sentence(0, 'Well, that depends.'));
    expect(words && (await allOf(words))).toEqual([
      { text: 'Well,', speech: phrases[0], isLast: false },
      { text: 'that depends.', speech: phrases[1], isLast: true },
    ]);
  });

  it('leaves text alone, at once, while the engine is not ready', () => {
    const { voice } = voiceWith({ status: () => ({ state: 'loading', message: 'Loading.' }) });
    expect(voice.forReply('en', signal()).say(sentence(0))).toBeNull();
  });

  it('degrades a sentence that cannot be spoken to text, and speaks the next one', async () => {
    let attempts = 0;
    const { reply, failures } = voiceWith({
      async *synthesize(request) {
        if (attempts++ === 0) throw new Error('broken');
        yield* inOnePhrase(request);
      },
    });
    const say = reply();
    expect(await say(sentence(0))).toEqual([['Sentence 0.', false]]);
    expect(await say(sentence(1))).toEqual([['Sentence 1.', true]]);
    expect(failures).toHaveLength(1);
  });

  it.each([
    ['fails', () => Promise.reject(new Error('broken')), 1],
    ['ends early', () => Promise.resolve(), 0],
    ['hangs', () => new Promise<void>(() => {}), 1],
  ])('says the rest as text where the engine %s in the middle of a sentence', async (_how, then, count) => {
    const { reply, failures } = voiceWith(
      {
        async *synthesize() {
          yield phrase('Well,');
          await then();
        },
      },
      20,
    );
    expect(await reply()(sentence(0, 'Well, that depends.'))).toEqual([
      ['Well,', true],
      ['that depends.', false],
    ]);
    expect(failures).toHaveLength(count);
  });

  it('says nothing that it was not asked to', async () => {
    const { reply, failures } = voiceWith({
      async *synthesize() {
        yield phrase('Nonsense.');
      },
    });
    expect(await reply()(sentence(0))).toEqual([['Sentence 0.', false]]);
    expect(failures).toHaveLength(1);
  });

  it('gives up an engine that hangs, and does not let the rest of the reply wait for it', async () => {
    let engineSignal: AbortSignal | undefined;
    const { voice, reply } = voiceWith(
      {
        synthesize: (request) => {
          engineSignal = request.signal;
          return never();
        },
      },
      5,
    );
    const say = reply();
    expect(await say(sentence(0))).toEqual([['Sentence 0.', false]]);
    expect(engineSignal?.aborted).toBe(true);
    expect(await say(sentence(1))).toBeNull();
    expect(voice.forReply('en', signal()).say(sentence(0))).not.toBeNull();
  });

  describe('that others wait for', () => {
    /** A voice with waiting first words that never come. */
    function busyVoice(waiting: number, readWaitMs?: number) {
      const world = voiceWith({ synthesize: never }, 60_000, readWaitMs);
      const leave = new AbortController();
      for (let n = 0; n < waiting; n++) {
        const words = world.voice.forReply('en', leave.signal).say(sentence(0));
        if (words) void allOf(words).catch(() => {});
      }
      return { ...world, leave: () => leave.abort(new Error('gone')) };
    }

    it('lets what is read out as text at once, all of the reply, and says so', async () => {
      const { voice, failures } = busyVoice(10);
      const own = voice.forReply('en', signal(), true);
      expect(own.isBusy).toBe(false);
      expect(own.say(sentence(0))).toBeNull();
      expect(own.say(sentence(1))).toBeNull();
      expect(own.isBusy).toBe(true);
      expect(failures).toEqual([]);
    });

    it('says no welcome that would come too late', async () => {
      const { voice } = busyVoice(10);
      expect(await voice.speakWithin('Hello.', 'en', 700)).toBeNull();
      expect(voice.waitMs).toBe(3_000);
    });

    it('is waited for by who listens', () => {
      const { voice } = busyVoice(10);
      expect(voice.forReply('en', signal()).say(sentence(0))).not.toBeNull();
    });

    it('keeps what is read no longer than it was thought to, and counts that as no failure', async () => {
      const { voice, failures } = busyVoice(1, 350);
      const own = voice.forReply('en', signal(), true);
      const words = own.say(sentence(0));
      expect(words && (await allOf(words))).toEqual([{ text: 'Sentence 0.', speech: null, isLast: true }]);
      expect(own.isBusy).toBe(true);
      expect(failures).toEqual([]);
    });

    it('is there again for what is read once they have gone', async () => {
      const { voice, leave } = busyVoice(10);
      leave();
      await new Promise((resolve) => setImmediate(resolve));
      expect(voice.forReply('en', signal(), true).say(sentence(0))).not.toBeNull();
    });

    it('goes on with a reply as text when they come in the middle of it', async () => {
      const { voice } = voiceWith(
        { synthesize: ({ text }) => (text === 'Wait.' ? never() : inOnePhrase({ text, urgency: 'first' })) },
        60_000,
      );
      const own = voice.forReply('en', signal(), true);
      const words = own.say(sentence(0));
      expect(words && (await allOf(words))).toMatchObject([{ text: 'Sentence 0.', isLast: true }]);
      for (let n = 0; n < 10; n++) {
        const others = voice.forReply('en', signal()).say(sentence(0, 'Wait.'));
        if (others) void allOf(others);
      }
      expect(own.say(sentence(1))).toBeNull();
      expect(own.isBusy).toBe(true);
    });
  });

  describe('in a crowd that waits for texts', () => {
    it('lets what is read out as text at once, all of the reply, and says so', () => {
      let isCrowded = true;
      const { voice, failures } = voiceWith({}, 1_000, 1_000, () => isCrowded);
      const own = voice.forReply('en', signal(), true);
      expect(own.isBusy).toBe(false);
      expect(own.say(sentence(0))).toBeNull();
      isCrowded = false;
      expect(own.say(sentence(1))).toBeNull();
      expect(own.isBusy).toBe(true);
      expect(failures).toEqual([]);
    });

    it('is there for who listens', () => {
      const { voice } = voiceWith({}, 1_000, 1_000, () => true);
      expect(voice.forReply('en', signal()).say(sentence(0))).not.toBeNull();
    });

    it('goes on with what it has begun', async () => {
      let isCrowded = false;
      const { voice } = voiceWith({}, 1_000, 1_000, () => isCrowded);
      const own = voice.forReply('en', signal(), true);
      const words = own.say(sentence(0));
      isCrowded = true;
      expect(words && (await allOf(words))).toMatchObject([{ text: 'Sentence 0.', isLast: true }]);
      expect(own.say(sentence(1))).not.toBeNull();
      expect(own.isBusy).toBe(false);
    });
  });

  describe('whose next words others go before', () => {
    const inTwoPhrases = async function* ({ text }: SynthesisRequest) {
      const [first = '', rest = ''] = text.split(/(?<=,) /);
      yield phrase(first);
      yield phrase(rest);
    };
    const forEver = new Promise<never>(() => {});
    const begun = async (isRead: boolean) => {
      const { voice, failures } = voiceWith({ synthesize: inTwoPhrases }, 60_000, 20);
      const own = voice.forReply('en', signal(), isRead);
      const words = own.say(sentence(0, 'Yes, we do.'))?.[Symbol.asyncIterator]();
      expect((await words?.next())?.value).toMatchObject({ text: 'Yes,', speech: {} });
      return { own, words, failures };
    };

    it('gives the rest of what is read as text after a while, and says so', async () => {
      const { own, words, failures } = await begun(true);
      await own.waitFor(forEver);
      expect((await words?.next())?.value).toEqual({ text: 'we do.', speech: null, isLast: true });
      expect([own.say(sentence(1)), own.isBusy, failures]).toEqual([null, true, []]);
    });

    it('goes on with what is read when they are done soon', async () => {
      const { own, words } = await begun(true);
      await own.waitFor(Promise.resolve());
      expect((await words?.next())?.value).toMatchObject({ text: 'we do.', speech: {}, isLast: true });
      expect(own.isBusy).toBe(false);
    });

    it('waits with who listens, and tells why it no longer does', async () => {
      const { own } = await begun(false);
      await expect(own.waitFor(Promise.reject(new Error('gone')))).rejects.toThrow('gone');
      let isOver = false;
      void own.waitFor(forEver).then(() => {
        isOver = true;
      });
      await new Promise((resolve) => setTimeout(resolve, 60));
      expect(isOver).toBe(false);
    });
  });

  describe('that has long sentences to finish', () => {
    const long = 'One word after the other, until the voice has spoken all of them. '.repeat(6).trim();
    /** Gives the first words of a sentence, and then nothing. */
    async function* onlyFirstWords({ text }: SynthesisRequest) {
      const [first = ''] = text.split(',');
      yield phrase(first);
      yield* never();
    }

    it('begins nothing more of what is read, and says so', async () => {
      const { voice } = voiceWith({ synthesize: onlyFirstWords }, 60_000);
      const begun = voice.forReply('en', signal()).say(sentence(0, long));
      await begun?.[Symbol.asyncIterator]().next();
      const own = voice.forReply('en', signal(), true);
      expect(own.say(sentence(0))).toBeNull();
      expect(own.isBusy).toBe(true);
    });

    it('gives the rest of what is read as text when it is kept by others', async () => {
      const { voice, failures } = voiceWith({ synthesize: onlyFirstWords }, 60_000, 30);
      const own = voice.forReply('en', signal(), true);
      const [words, other] = [
        own.say(sentence(0, long)),
        voice.forReply('en', signal()).say(sentence(0, long)),
      ];
      void other?.[Symbol.asyncIterator]().next();
      expect(words && (await allOf(words))).toMatchObject([
        { text: 'One word after the other', isLast: false },
        { speech: null, isLast: true },
      ]);
      expect([own.isBusy, failures]).toEqual([true, []]);
    });
  });

  it.each([
    ['gives the rest of what is read as text', 'much', 'One word after another. '.repeat(20), false],
    ['goes on with what is read', 'hardly anything', 'Yes.', true],
  ])('%s after its time where others have %s to be said', async (_what, _much, others, isSpoken) => {
    const inTwo = async function* ({ text }: SynthesisRequest) {
      if (text === others) yield* never();
      for (const part of text.split(/(?<=,) /)) yield phrase(part);
    };
    const { voice, failures } = voiceWith({ synthesize: inTwo }, 60_000, 300);
    const own = voice.forReply('en', signal(), true);
    const words = own
      .say(sentence(0, 'Yes of course we have that in stock, we do.'))
      ?.[Symbol.asyncIterator]();
    expect((await words?.next())?.value).toMatchObject({ text: 'Yes of course we have that in stock,' });
    void voice.forReply('en', signal()).say(sentence(0, others))?.[Symbol.asyncIterator]().next();
    await new Promise((resolve) => setTimeout(resolve, 330));
    const last = (await words?.next())?.value;
    expect(last).toMatchObject({ text: 'we do.', isLast: true });
    expect([last?.speech !== null, own.isBusy, failures]).toEqual([isSpoken, !isSpoken, []]);
  });

  it('is waited for beyond that by who is next: nobody would be sooner', async () => {
    const { voice } = voiceWith(
      {
        async *synthesize(request) {
          await new Promise((resolve) => setTimeout(resolve, 50));
          yield* inOnePhrase(request);
        },
      },
      60_000,
      1,
    );
    const own = voice.forReply('en', signal(), true);
    const words = own.say(sentence(0));
    expect(words && (await allOf(words))).toMatchObject([{ text: 'Sentence 0.', speech: {} }]);
    expect(own.isBusy).toBe(false);
  });

  it('rejects with the reason when the reply is aborted, and counts that as no failure', async () => {
    const { reply, failures } = voiceWith({ synthesize: never });
    const controller = new AbortController();
    const spoken = reply(controller.signal)(sentence(0));
    controller.abort(new Error('interrupted'));
    await expect(spoken).rejects.toThrow('interrupted');
    expect(failures).toEqual([]);
  });

  it('speaks a welcome in one piece', async () => {
    const { voice } = voiceWith({
      async *synthesize() {
        yield phrase('Hello.');
        yield phrase('This is Sigma.');
      },
    });
    const welcome = await voice.speakWithin('Hello. This is Sigma.', 'en', 1_000);
    expect(welcome?.samples).toHaveLength('Hello.This is Sigma.'.length);
    const { voice: hoarse } = voiceWith({ synthesize: never });
    expect(await hoarse.speakWithin('Hello.', 'en', 5)).toBeNull();
  });

  describe('whose welcome nobody waits for any more', () => {
    const rest = 'We can help with orders, repairs and deliveries, and with much more. '.repeat(4).trim();
    const welcome = `Hello. ${rest}`;

    /** Each phrase is made when the test releases it, and is identified by its first word. */
    function world() {
      const asked: string[] = [];
      const waiting: (() => void)[] = [];
      const { voice, failures } = voiceWith(
        {
          async *synthesize({ text, signal }) {
            for (const part of text.split(/(?<=\.) /)) {
              asked.push(part.split(/\W/)[0] ?? '');
              await new Promise<void>((resolve, reject) => {
                waiting.push(resolve);
                signal?.addEventListener('abort', () => reject(signal.reason));
              });
              yield phrase(part);
            }
          },
        },
        60_000,
      );
      const letOut = async () => {
        waiting.shift()?.();
        await new Promise((resolve) => setImmediate(resolve));
      };
      return { voice, failures, asked, letOut };
    }

    it('speaks to them at once, and finishes it when all is said', async () => {
      const { voice, asked, letOut } = world();
      expect(await voice.speakWithin(welcome, 'en', 1)).toBeNull();
      expect(voice.waitMs).toBe(0);
      const own = voice.forReply('en', signal(), true);
      const words = own.say(sentence(0, 'Yes. Sure.'));
      const all = words && allOf(words);
      await letOut();
      expect(asked).toEqual(['Hello', 'Yes']);
      for (let n = 0; n < 2; n++) await letOut();
      expect(await all).toMatchObject([
        { text: 'Yes.', speech: {} },
        { text: 'Sure.', speech: {} },
      ]);
      expect(own.isBusy).toBe(false);
      await letOut();
      expect(asked).toEqual(['Hello', 'Yes', 'Sure', 'We', 'We']);
    });

    it('tells of one that cannot be finished', async () => {
      const { voice, failures } = voiceWith({ synthesize: never }, 20);
      expect(await voice.speakWithin(welcome, 'en', 1)).toBeNull();
      await expect.poll(() => failures).toHaveLength(1);
    });

    it('drops one that is behind first words of others', async () => {
      const { voice, asked, letOut, failures } = world();
      const words = voice.forReply('en', signal()).say(sentence(0, 'Yes.'));
      const all = words && allOf(words);
      expect(await voice.speakWithin(welcome, 'en', 310)).toBeNull();
      for (let n = 0; n < 4; n++) await letOut();
      expect(await all).toMatchObject([{ text: 'Yes.', speech: {} }]);
      expect(asked).toEqual(['Yes', 'Hello']);
      expect(failures).toEqual([]);
    });

    it('finishes one at a time', async () => {
      const { voice, asked, letOut, failures } = world();
      const welcomes = ['One. And more.', 'Two. And more.', 'Three. And more.'];
      const late = welcomes.slice(0, 2).map((text) => voice.speakWithin(text, 'en', 310));
      expect(await Promise.all(late)).toEqual([null, null]);
      expect(await voice.speakWithin(welcomes[2] ?? '', 'en', 1)).toBeNull();
      for (let n = 0; n < 6; n++) await letOut();
      expect(asked).toEqual(['One', 'Two', 'Three', 'And']);
      expect(failures).toEqual([]);
    });
  });
});
