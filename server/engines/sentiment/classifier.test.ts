import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
import { createSentimentClassifier } from './classifier.ts';
import type { SentimentEngine } from './contract.ts';
import { readModel, writeModel } from './model.ts';

let engine: SentimentEngine;
beforeAll(() => {
  engine = createSentimentClassifier();
});
afterAll(() => engine.close());
const labelOf = async (text: string) => (await engine.analyse([text]))[0]?.label;

// None of these texts is in the training data.
describe('labels', () => {
  it.each([
    'Thank you ever so much, Julia was wonderful!',
    'This blender is fantastic, I use it every single morning',
    'thx guys, works perfectly',
    '@nordair what a great crew on the evening flight, loved it',
    '😍',
  ])('%j positive', async (text) => expect(await labelOf(text)).toBe('positive'));

  it.each([
    'At what time does the pharmacy close on Saturdays?',
    'Please change the delivery to the 12th of May',
    'the number on the card is 77120',
    'Could I have a receipt for my booking?',
    'URGENT!!! what is the size of the small box?',
    'How can I make sure nobody steals my card details?',
    'What should I do if I ever smell gas?',
  ])('%j neutral', async (text) => expect(await labelOf(text)).toBe('neutral'));

  it.each([
    'I have been waiting for an hour and nobody answers the phone',
    'The blender broke on the second day, really disappointing',
    'thanks for nothing',
    '@nordair delayed again, third time this week, terrible service',
    'Great, another cancelled train. Just what I needed',
    'worst support i ever had',
  ])('%j negative', async (text) => expect(await labelOf(text)).toBe('negative'));

  it.each([
    'My credit card was stolen and somebody is shopping with it',
    'The toaster you sold me is on fire',
    'I am locked out of my account and the exam starts in ten minutes',
    'Our whole shop is standing still, no till works',
    'You will hear from my lawyer, I am taking you to court',
    "I can see another customer's bank statements in my account",
    'This is the ninth call, nobody helps, I am at my wits end, get me a manager now',
  ])('%j urgent', async (text) => expect(await labelOf(text)).toBe('urgent'));
});

it('knows that it cannot judge other languages', async () => {
  const labels = await engine.analyse([
    'Guten Morgen, ich möchte gerne meinen Termin verschieben',
    'Bonjour, je voudrais savoir où se trouve mon colis',
    'Buenos días, quisiera cambiar la fecha de mi reserva',
    'お店は何時に開きますか',
  ]);
  expect(labels.map(({ label }) => label)).toEqual(['neutral', 'neutral', 'neutral', 'neutral']);
});

it('answers one probability per text, in order, however many and whatever they are', async () => {
  const texts = [
    '',
    ' \n ',
    '\0',
    '....',
    '@'.repeat(8_000),
    'somebody '.repeat(900),
    '😡',
    'x'.repeat(20_000),
  ];
  const many = [...texts, ...Array.from({ length: 300 }, (_, n) => (n % 2 ? 'thank you' : 'this is awful'))];
  const labels = await engine.analyse(many);
  expect(labels).toHaveLength(many.length);
  for (const { score } of labels) {
    expect(score).toBeGreaterThan(0.25);
    expect(score).toBeLessThanOrEqual(1);
  }
  expect(labels.slice(0, 2).map(({ label }) => label)).toEqual(['neutral', 'neutral']);
  expect(labels.at(-1)?.label).toBe('positive');
  expect(labels.at(-2)?.label).toBe('negative');
});

it('labels a message that arrives before it finishes a long list', async () => {
  const order: string[] = [];
  const list = engine
    .analyse(Array.from({ length: 2_000 }, (_, n) => `Message number ${n} about the parcel`))
    .then(() => order.push('list'));
  const message = engine.analyse(['hello']).then(() => order.push('message'));
  await Promise.all([list, message]);
  expect(order).toEqual(['message', 'list']);
});

it('stops when told to, and refuses once it is closed', async () => {
  const reason = new Error('enough');
  await expect(engine.analyse(['x'], AbortSignal.abort(reason))).rejects.toBe(reason);
  const other = createSentimentClassifier();
  const lost = expect(other.analyse(['x'])).rejects.toBeInstanceOf(EngineError);
  await other.close();
  await lost;
  await expect(other.analyse(['x'])).rejects.toBeInstanceOf(EngineError);
});

it('says that it is ready', async () => {
  await engine.analyse(['x']);
  expect(engine.status()).toMatchObject({ state: 'ready' });
});

it('reads what training wrote, and refuses a model of another program', () => {
  const bytes = readFileSync(new URL('./model.bin', import.meta.url));
  expect(Buffer.compare(writeModel(readModel(bytes)), bytes)).toBe(0);
  expect(() => readModel(bytes.subarray(4))).toThrow('train it again');
  expect(() => readModel(new Uint8Array())).toThrow('train it again');
});
