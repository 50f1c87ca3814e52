import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { WholeReply } from '#server/dialogue/contract';
import { soundOfText } from '#server/engines/encoding/fake';
import { ownScope } from '../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../tests/support/call-world.ts';
import { door, sentencesOf } from '../../../tests/support/scripted-engines.ts';

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
  ({ conversationId } = await client.start());
});
afterEach(() => client.socket.disconnect());

/** A dialogue whose replies have these outcomes, one after another. */
function answers(...replies: Partial<WholeReply>[]) {
  world.dialogue.answer = async function* ({ text }) {
    for await (const event of sentencesOf(`About ${text}`, 'Well?'))
      yield event.type === 'reply' ? { ...event, ...replies.shift() } : event;
  };
}

/** Waits for the whole turn: the conversation's outcome is reported last. */
async function say(text: string) {
  await client.say(conversationId, text);
  await world.calls.idle();
}

const conversation = () => world.conversations.get(ownScope(user), conversationId);

it('carries what came of a reply to the answer, the history and the list, and to no client more than that', async () => {
  const contact = { name: 'Ada', phone: '0171 555' };
  answers({ outcome: 'handover', state: { secret: 'asked-name' }, contact, topic: 'Late Parcels' });
  await say('Hi');
  const reply = await client.nth('ai_response');
  expect(reply).toMatchObject({ outcome: 'handover' });
  expect(await conversation()).toMatchObject({
    outcome: 'handover',
    contact,
    messages: [{ role: 'assistant' }, { role: 'user' }, { role: 'assistant', outcome: 'handover' }],
  });
  const { conversations } = await world.conversations.list(ownScope(user), { view: 'summary', limit: 5 });
  expect(conversations).toMatchObject([{ outcome: 'handover', contact }]);
  const again = await world.connect(user);
  const started = await again.start({ conversationId });
  expect(started.messages?.map(({ outcome }) => outcome)).toEqual([undefined, undefined, 'handover']);
  expect(JSON.stringify([started, reply, await conversation()])).not.toMatch(/secret|Late Parcels/);
});

it('gives the dialogue its own state back with each of its replies', async () => {
  answers({ state: { step: 1, odd: 'a\0b\ud800' } }, {}, { state: ['third'] });
  for (const text of ['One', 'Two', 'Three', 'Four']) await say(text);
  expect(world.dialogue.turns.at(-1)?.history.map(({ role, state }) => [role, state])).toEqual([
    ['assistant', undefined],
    ['user', undefined],
    ['assistant', { step: 1, odd: 'ab\ufffd' }],
    ['user', undefined],
    ['assistant', undefined],
    ['user', undefined],
    ['assistant', ['third']],
  ]);
  expect(world.failures).toEqual([]);
});

it('names a conversation by what all its replies were about', async () => {
  const asked: unknown[] = [];
  world.dialogue.title = (_, messages, topics) => {
    asked.push([messages, topics]);
    return null;
  };
  answers({ topic: 'Returns' }, {}, { topic: 'Refunds' });
  for (const text of ['One', 'Two', 'Three']) await say(text);
  expect(asked).toEqual([
    [['One'], ['Returns']],
    [['One', 'Two'], ['Returns']],
    [
      ['One', 'Two', 'Three'],
      ['Returns', 'Refunds'],
    ],
  ]);
});

it.each([
  [['social', 'answered', 'social'], 'answered', 2],
  [['answered', 'offered', 'answered'], 'offered', 2],
  [['declined', 'offered'], 'declined', 1],
  [['handover', 'declined'], 'handover', 1],
  [['asked-back', 'social', 'asked-back'], 'social', 1],
  [['asked-back'], undefined, 0],
] as const)('is worth the strongest of its turns: %j makes %s', async (outcomes, strongest, changes) => {
  answers(...outcomes.map((outcome) => ({ outcome })));
  const watching = await world.connect(user);
  await watching.start({ conversationId });
  for (const outcome of outcomes) await say(outcome);
  expect((await conversation()).outcome).toBe(strongest);
  const told = watching.all('conversation_updated').flatMap(({ outcome }) => outcome ?? []);
  expect([told.length, told.at(-1)]).toEqual([changes, strongest]);
  watching.socket.disconnect();
});

it('tells every tab what the customer has left, and keeps it', async () => {
  const watching = await world.connect(user);
  await watching.start({ conversationId });
  answers(
    { outcome: 'handover', contact: { name: 'Ada' } },
    { outcome: 'handover', contact: { name: 'Ada', email: 'ada@example.com' } },
    { outcome: 'social' },
  );
  for (const text of ['One', 'Two', 'Three']) await say(text);
  await watching.quiet(3);
  expect(watching.all('conversation_updated').flatMap(({ contact }) => contact ?? [])).toEqual([
    { name: 'Ada' },
    { name: 'Ada', email: 'ada@example.com' },
  ]);
  expect((await conversation()).contact).toEqual({ name: 'Ada', email: 'ada@example.com' });
});

it('keeps outcome and state of a reply that was interrupted while it was spoken', async () => {
  const spoken = door();
  world.synthesis.speak = async ({ text }) => {
    if (text === 'Well?') await spoken.opened;
    return soundOfText(text);
  };
  answers({ outcome: 'declined', state: { offered: 'colleague' } }, {});
  await client.say(conversationId, 'One');
  const { responseId } = await client.nth('ai_response_chunk');
  await client.send('interrupt', { conversationId, responseId, heardMs: 900 });
  spoken.open();
  await world.calls.idle();
  expect(await conversation()).toMatchObject({
    outcome: 'declined',
    messages: [{}, {}, { interrupted: true, outcome: 'declined' }],
  });
  await say('Two');
  expect(world.dialogue.turns.at(-1)?.history.at(-1)).toMatchObject({ state: { offered: 'colleague' } });
});

it('does not count a reply of which nothing was heard', async () => {
  answers({ outcome: 'answered' }, { outcome: 'handover' });
  await say('One');
  await say('Two');
  expect((await conversation()).outcome).toBe('handover');
  const { responseId } = await client.nth('ai_response', 2);
  await client.send('interrupt', { conversationId, responseId, heardMs: 0 });
  expect(await conversation()).toMatchObject({ outcome: 'answered' });
  expect((await conversation()).messages.at(-1)).not.toHaveProperty('outcome');
});
