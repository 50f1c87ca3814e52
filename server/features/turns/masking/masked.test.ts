import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { ownScope } from '../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../tests/support/call-world.ts';

const CARD = '4111 1111 1111 1111';
let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;

beforeAll(async () => {
  world = await openCallWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start({ voice: false }));
});

const said = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages
    .filter(({ role }) => role === 'user')
    .map(({ content }) => content);

it('keeps no card number that is typed, and shows it to no model', async () => {
  expect(await client.say(conversationId, `My card is ${CARD}.`)).toMatchObject({
    ok: true,
    message: 'My card is [card number].',
  });
  await client.quiet();
  expect(await said()).toEqual(['My card is [card number].']);
  expect(world.dialogue.turns.at(-1)?.text).toBe('My card is [card number].');
});

it('keeps none that is spoken, and shows none to the model that thinks ahead', async () => {
  await client.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
  const microphone = world.microphones.at(-1);
  microphone?.tells.speaking(true);
  microphone?.tells.candidate(`It is ${CARD}`);
  await expect.poll(() => world.dialogue.turns.map(({ text }) => text)).toEqual(['It is [card number]']);
  microphone?.takes(`It is ${CARD}`);
  await client.quiet();
  expect(await said()).toEqual(['It is [card number]']);
  // The prepared text equals the spoken one.
  expect(world.dialogue.turns).toHaveLength(1);
});

it('answers the same message again without asking for it twice', async () => {
  for (const times of [1, 2]) {
    await client.say(conversationId, `Charge ${CARD}`, { clientMessageId: 'once' });
    await client.quiet(times);
  }
  expect(await said()).toEqual(['Charge [card number]']);
});

it('leaves an e-mail address to the demo agent, whose colleagues may need it', async () => {
  await client.say(conversationId, 'Write to ada@example.com.');
  await client.quiet();
  expect(await said()).toEqual(['Write to ada@example.com.']);
});
