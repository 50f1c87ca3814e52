import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { conversations, messages } from '#server/database/schema';
import { aScope } from '../../../tests/factories.ts';
import { type CallWorld, demoProfile, openCallWorld } from '../../../tests/support/call-world.ts';
import { door, sentencesOf } from '../../../tests/support/scripted-engines.ts';

let world: CallWorld;
beforeAll(async () => {
  world = await openCallWorld({ limits: { turnTimeoutMs: 200, sentenceTimeoutMs: 100, welcomeWaitMs: 50 } });
});
afterAll(() => world.close());
beforeEach(() => world.reset());

const agent = { ...demoProfile, id: 'draft', name: 'Mia' };
const signal = new AbortController().signal;
const rehearse = (change: object = {}, abort = signal) =>
  world.calls.rehearse({ scope: aScope('ada'), agent, history: [], text: 'When?', ...change }, abort);
const heard = (audioData: string | undefined) => Buffer.from(audioData ?? '', 'base64').toString();

it('answers in one piece with the audio of all sentences, in order', async () => {
  world.dialogue.answer = () => sentencesOf('At nine.', 'On Sundays at ten.', 'Anything else?');
  const reply = await rehearse({ history: [{ role: 'assistant', content: 'Hello!' }] });
  expect(reply).toMatchObject({
    text: 'At nine. On Sundays at ten. Anything else?',
    citations: [{ source: 'Handbook' }],
    audioType: 'audio/mpeg',
  });
  expect(heard(reply.audioData)).toBe('At nine.On Sundays at ten.Anything else?');
  expect(world.dialogue.turns).toEqual([
    { account: 'ada', agent, text: 'When?', history: [{ role: 'assistant', content: 'Hello!' }] },
  ]);
});

it('says the welcome when nothing was asked', async () => {
  const reply = await rehearse({ text: undefined });
  expect(reply.text).toBe('Hello, this is Mia of Northwind Test.');
  expect(heard(reply.audioData)).toBe(reply.text);
  expect(world.dialogue.turns).toEqual([]);
});

it.each(['When?', undefined])(
  'comes as text alone when it is asked to, or there is no voice (%j)',
  async (text) => {
    expect(await rehearse({ text, voice: false })).not.toHaveProperty('audioData');
    expect(world.synthesis.spoken).toEqual([]);
    world.synthesis.state = 'fetching';
    expect(await rehearse({ text })).not.toHaveProperty('audioData');
    world.synthesis.state = 'ready';
    world.synthesis.speak = () => Promise.reject(new Error('The voice is hoarse.'));
    expect(await rehearse({ text })).not.toHaveProperty('audioData');
  },
);

it('stores nothing', async () => {
  await rehearse();
  await rehearse({ text: undefined });
  expect(await world.database.db.select().from(conversations)).toEqual([]);
  expect(await world.database.db.select().from(messages)).toEqual([]);
});

it('gives up an answer that takes too long with a sentence for people', async () => {
  const { opened, open } = door();
  world.dialogue.answer = async function* () {
    await opened;
    yield* sentencesOf('Too late.');
  };
  await expect(rehearse()).rejects.toMatchObject({
    code: 'unavailable',
    message: 'This answer took too long. Please try again.',
  });
  open();
});

it('stops when whoever asked goes away', async () => {
  const gone = new AbortController();
  world.dialogue.answer = async function* (_turn, abort) {
    gone.abort(new Error('The client went away.'));
    abort.throwIfAborted();
    yield* sentencesOf('Nobody hears this.');
  };
  await expect(rehearse({}, gone.signal)).rejects.toThrow('The client went away.');
  await expect(rehearse({}, gone.signal)).rejects.toThrow('The client went away.');
});
