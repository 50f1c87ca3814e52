import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EngineError } from '#server/lib/engine-error';
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
  client = await world.connect(user);
  ({ conversationId } = await client.start());
});

const saidIn = async (id = conversationId) =>
  (await world.conversations.get(ownScope(user), id)).messages.map(({ content }) => content).slice(1);

describe('the same clientMessageId', () => {
  it('sends an answer again that exists, without making or storing it twice', async () => {
    const first = await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet(1);
    const second = await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet(2);
    expect(second).toEqual(first);
    const [answer, again] = client.all('ai_response');
    expect(again).toMatchObject({ messageId: answer?.messageId, message: answer?.message });
    expect(client.order.slice(-3)).toEqual(['typing true', 'ai_response', 'typing false']);
    expect(world.dialogue.turns).toHaveLength(1);
    expect(await saidIn()).toEqual(['Hi', 'You said: Hi Anything else?']);
  });

  it('joins the turn under way from another connection, and hears all of it', async () => {
    const gate = door();
    world.dialogue.answer = async function* (turn) {
      yield { type: 'sentence', index: 0, text: 'Let me see.', isLast: false };
      await gate.opened;
      yield { type: 'sentence', index: 1, text: `Found: ${turn.text}`, isLast: true };
      yield { type: 'reply', text: 'Let me see. Found.', citations: [], outcome: 'answered' };
    };
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    const later = await world.connect(user, { streaming: true });
    await later.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await later.nth('ai_response_chunk', 1);
    gate.open();
    await Promise.all([later.nth('conversation_updated'), client.quiet()]);
    expect(later.all('ai_response_chunk').map(({ text }) => text)).toEqual(['Let me see.', 'Found: Hi']);
    expect(later.order).toEqual([
      'typing true',
      'ai_response_chunk',
      'ai_response_chunk',
      'ai_response',
      'typing false',
      'conversation_updated',
    ]);
    expect(client.all('ai_response')).toHaveLength(1);
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('is stored and answered once when it arrives many times at the same moment, on several connections', async () => {
    const other = await world.connect(user);
    const acks = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? client : other).say(conversationId, `Hi ${n}`, { clientMessageId: 'a' }),
      ),
    );
    await Promise.all([client.nth('ai_response'), other.nth('ai_response')]);
    expect(acks.every((ack) => ack.ok)).toBe(true);
    expect(new Set(acks.map((ack) => ack.ok && ack.messageId)).size).toBe(1);
    expect(await saidIn()).toHaveLength(2);
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('is stored once by two servers on one database', async () => {
    const { calls, conversations } = world.anotherServer();
    const send = (service: typeof calls) =>
      service.takeTurn(
        { scope: ownScope(user), conversationId, text: 'Hi', clientMessageId: 'a' },
        world.nobody(),
      );
    const [here, there] = await Promise.all([send(world.calls), send(calls)]);
    await Promise.all([here.settled, there.settled]);
    expect(here.messageId).toBe(there.messageId);
    const users = (await conversations.get(ownScope(user), conversationId)).messages.filter(
      ({ role }) => role === 'user',
    );
    expect(users).toHaveLength(1);
  });

  it('has a failed turn tried again, the question being kept', async () => {
    world.dialogue.answer = () => {
      throw new EngineError('The language model is away. Please try again.', { retryable: true });
    };
    const first = await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet(1);
    expect(await client.nth('error')).toMatchObject({
      message: 'The language model is away. Please try again.',
      code: 'unavailable',
      retryable: true,
      conversationId,
      clientMessageId: 'a',
    });
    world.reset();
    expect(await client.say(conversationId, 'Hi', { clientMessageId: 'a' })).toEqual(first);
    await client.quiet(2);
    expect(await saidIn()).toEqual(['Hi', 'You said: Hi Anything else?']);
  });

  it('is not tried again once the conversation has ended', async () => {
    world.dialogue.answer = () => {
      throw new EngineError('The language model is away. Please try again.', { retryable: true });
    };
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet(1);
    await world.conversations.end(ownScope(user), conversationId);
    expect(await client.say(conversationId, 'Hi', { clientMessageId: 'a' })).toMatchObject({
      ok: false,
      error: { code: 'conversation-ended' },
    });
    await world.calls.idle();
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('means another message in another conversation', async () => {
    const elsewhere = await client.start();
    await client.say(conversationId, 'Here', { clientMessageId: 'a' });
    await client.say(elsewhere.conversationId, 'There', { clientMessageId: 'a' });
    await client.quiet(2);
    expect((await saidIn())[0]).toBe('Here');
    expect((await saidIn(elsewhere.conversationId))[0]).toBe('There');
  });

  it('hears its answer again though the conversation has ended', async () => {
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet(1);
    await world.conversations.end(ownScope(user), conversationId);
    expect(await client.say(conversationId, 'Hi', { clientMessageId: 'a' })).toMatchObject({ ok: true });
    expect((await client.nth('ai_response', 2)).message).toBe('You said: Hi Anything else?');
  });
});

it('stores messages without an id of their own every time', async () => {
  await client.say(conversationId, 'Hi');
  await client.say(conversationId, 'Hi');
  await client.quiet(2);
  expect((await saidIn()).filter((text) => text === 'Hi')).toHaveLength(2);
});

it('answers 50 rapid messages in order, one at a time, none lost and none twice', async () => {
  const texts = Array.from({ length: 50 }, (_, n) => `Message ${n}`);
  let underWay = 0;
  let most = 0;
  world.dialogue.answer = async function* ({ text }) {
    most = Math.max(most, ++underWay);
    await new Promise((resolve) => setImmediate(resolve));
    underWay--;
    yield* sentencesOf(`Re: ${text}`);
  };
  const acks = await Promise.all(
    texts.map((text, n) => client.say(conversationId, text, { clientMessageId: `m${n}` })),
  );
  await client.quiet(50);
  expect(acks.every((ack) => ack.ok)).toBe(true);
  expect(most).toBe(1);
  const answers = client
    .all('ai_response')
    .map(({ message }) => message)
    .filter(Boolean);
  expect(answers.flatMap((answer) => answer.replace('Re: ', '').split('\n'))).toEqual(texts);
  const said = await saidIn();
  expect(said.filter((text) => text.startsWith('Message'))).toEqual(texts);
  expect(said).toHaveLength(100);
  const lastTurn = world.dialogue.turns.at(-1);
  expect(lastTurn?.history.at(-1)?.content).toEqual(answers.at(-2));
});
