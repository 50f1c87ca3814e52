import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EmbedOptions, ReadingEngine } from '#server/engines/reading/contract';
import { createReading } from '#server/engines/reading/index';
import { engineReady } from '../../../tests/support/engine-ready.ts';
import { type ClassifierOptions, createSentimentClassifier } from './classifier.ts';
import type { SentimentEngine } from './contract.ts';
import { type FirstImpression, readModel, SentimentModel } from './model.ts';

let reading: ReadingEngine;
let engine: SentimentEngine;
beforeAll(async () => {
  reading = createReading();
  engine = createSentimentClassifier({ reading });
  await engineReady(reading);
});
afterAll(async () => {
  await engine.close();
  await reading.close();
});

const labelOf = async (text: string, by = engine) => (await by.analyse([text]))[0]?.label;

// None of these texts is in the training data.
describe('labels by words and meaning', () => {
  it.each([
    'My kettle is smoking, help!',
    'I fell off my bike and my front tooth is out, it came out with the root',
    'our shower cabin has burst and there is glass in my leg',
    'the dog got into the rat poison you put down',
    'My whole team is staring at blank screens since this morning, the office has come to a stop',
    'a lady two seats in front of me has gone blue',
  ])('%j urgent', async (text) => expect(await labelOf(text)).toBe('urgent'));

  it.each([
    '07700 900461',
    'four four seven two',
    'oh seven seven double nine',
    'my number is 0161 496 0742',
    'Ferguson, with two S',
    'ok',
    'How much is a white filling for a back tooth?',
    'Which kettle boils fastest?',
    'Is the smoking area on the terrace?',
    'Where can I read up on what to do in a fire?',
  ])('%j neutral', async (text) => expect(await labelOf(text)).toBe('neutral'));

  it.each(['I expected so much more from this hotel', 'Honestly, your last update made the app slower'])(
    '%j negative',
    async (text) => expect(await labelOf(text)).toBe('negative'),
  );

  it.each(['You made my mum smile on her birthday', 'What a lovely evening that was, we felt at home'])(
    '%j positive',
    async (text) => expect(await labelOf(text)).toBe('positive'),
  );
});

it('was trained with the vectors that the reading engine makes', () => {
  const model = new SentimentModel(readModel(readFileSync(new URL('./model.bin', import.meta.url))));
  const unsure: FirstImpression = { answer: { label: 'neutral', score: 0.3 }, sums: [0, 0, 0, 0] };
  expect(model.needsMeaning(unsure, reading.revision)).toBe(true);
  expect(model.needsMeaning(unsure, 'of another encoder')).toBe(false);
});

describe('with a reader that is of no use', () => {
  const texts = [
    'thank you so much!',
    'My kettle is smoking, help!',
    'The strap came as a surprise',
    'hm, again?',
    'Guten Morgen, ich möchte gerne meinen Termin verschieben',
    '',
  ];

  async function withReader(
    reader: Partial<NonNullable<ClassifierOptions['reading']>>,
    test: (engine: SentimentEngine) => Promise<void>,
  ): Promise<void> {
    const one = createSentimentClassifier({
      reading: { embed: reading.embed, revision: reading.revision, status: reading.status, ...reader },
      readingMs: 200,
    });
    try {
      await test(one);
    } finally {
      await one.close();
    }
  }

  async function byWordsAlone() {
    const alone = createSentimentClassifier();
    const labels = await alone.analyse(texts);
    await alone.close();
    return labels;
  }

  const hang = (_: readonly string[], { signal }: EmbedOptions = {}) =>
    new Promise<never>((_resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason));
    });

  it.each<[string, Partial<NonNullable<ClassifierOptions['reading']>>]>([
    ['is still loading', { status: () => ({ state: 'loading', message: 'Loading.' }) }],
    ['fails', { embed: () => Promise.reject(new Error('The reader failed.')) }],
    ['hangs', { embed: hang }],
    ['makes other vectors', { revision: 'of another encoder' }],
    ['answers too few', { embed: async () => [] }],
  ])('answers by words when it %s', async (_, reader) => {
    const alone = await byWordsAlone();
    await withReader(reader, async (one) => {
      expect(await one.analyse(texts)).toEqual(alone);
    });
  });

  it('asks it about English, of many messages only about what is open or may be urgent', async () => {
    const asked: string[] = [];
    const embed: ReadingEngine['embed'] = (some, options) => {
      asked.push(...some);
      return reading.embed(some, options);
    };
    await withReader({ embed }, async (one) => {
      expect(await one.analyse(texts)).not.toEqual(await byWordsAlone());
    });
    expect(asked).toEqual(texts.slice(0, 4));
    asked.length = 0;
    const thanks = Array.from({ length: 10 }, () => 'thank you so much!');
    await withReader({ embed }, async (one) => {
      await one.analyse([...texts, ...thanks]);
    });
    expect(asked).not.toContain('thank you so much!');
    expect(asked).toContain('My kettle is smoking, help!');
  });

  it('stops waiting for it when told to', async () => {
    await withReader({ embed: hang }, async (one) => {
      const controller = new AbortController();
      const reason = new Error('enough');
      const labels = one.analyse(texts, controller.signal);
      controller.abort(reason);
      await expect(labels).rejects.toBe(reason);
    });
  });
});
