import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

/** A dialogue that says nothing until the door opens. */
function answerBehind() {
  const hold = door();
  world.dialogue.answer = async function* ({ text }, signal) {
    await hold.opened;
    signal.throwIfAborted();
    yield* sentencesOf(`You said: ${text}`);
  };
  return hold;
}

const answers = () => client.all('ai_response').filter(({ message }) => message !== '');
const stored = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages
    .slice(1)
    .filter(({ content }) => content !== '')
    .map(({ role, content }) => `${role}: ${content}`);

describe('short messages in a row, to which nothing was said yet', () => {
  it('are each stored and acknowledged, and answered together', async () => {
    const hold = answerBehind();
    const acks = [
      await client.say(conversationId, 'hi'),
      await client.say(conversationId, 'question about returns'),
      await client.say(conversationId, 'bought it in May'),
    ];
    expect(acks).toMatchObject([{ ok: true }, { ok: true }, { ok: true }]);
    hold.open();
    await client.quiet(3);
    expect(answers().map(({ message }) => message)).toEqual([
      'You said: hi\nquestion about returns\nbought it in May',
    ]);
    const last = acks.at(-1);
    expect(answers()[0]?.replyTo).toBe(last?.ok && last.messageId);
    expect(await stored()).toEqual([
      'user: hi',
      'user: question about returns',
      'user: bought it in May',
      'assistant: You said: hi\nquestion about returns\nbought it in May',
    ]);
    expect(client.all('error')).toEqual([]);
  });

  it('wait behind a reply that has begun, and are then answered together', async () => {
    const hold = door();
    world.dialogue.answer = async function* ({ text }, signal) {
      yield { type: 'sentence', index: 0, text: `About "${text}":`, isLast: false };
      await hold.opened;
      signal.throwIfAborted();
      yield { type: 'reply', text: `About "${text}":`, citations: [], outcome: 'answered' };
    };
    await client.say(conversationId, 'Do you open on Sundays?');
    await client.nth('ai_response_chunk');
    await client.say(conversationId, 'and then');
    await client.say(conversationId, 'what about parking?');
    hold.open();
    await client.quiet(3);
    expect(answers().map(({ message }) => message)).toEqual([
      'About "Do you open on Sundays?":',
      'About "and then\nwhat about parking?":',
    ]);
  });

  it('answer and store once when one of them is sent again', async () => {
    const hold = answerBehind();
    await client.say(conversationId, 'hi', { clientMessageId: 'one' });
    await client.say(conversationId, 'about returns', { clientMessageId: 'two' });
    hold.open();
    await client.quiet(2);
    const again = await client.say(conversationId, 'hi', { clientMessageId: 'one' });
    expect(again.ok).toBe(true);
    await client.quiet(3);
    const newest = await client.say(conversationId, 'about returns', { clientMessageId: 'two' });
    expect(newest.ok).toBe(true);
    await client.quiet(4);
    expect(await stored()).toEqual([
      'user: hi',
      'user: about returns',
      'assistant: You said: hi\nabout returns',
    ]);
    expect(answers().map(({ message }) => message)).toEqual([
      'You said: hi\nabout returns',
      'You said: hi\nabout returns',
    ]);
    expect(world.dialogue.turns.filter(({ text }) => text.includes('returns'))).toHaveLength(1);
  });

  it('are known in their order to whoever answers next', async () => {
    const hold = answerBehind();
    await client.say(conversationId, 'hi');
    await client.say(conversationId, 'about returns');
    hold.open();
    await client.quiet(2);
    await client.say(conversationId, 'And exchanges?');
    await client.quiet(3);
    expect(
      world.dialogue.turns
        .at(-1)
        ?.history.slice(1)
        .map(({ content }) => content),
    ).toEqual(['hi', 'about returns', 'You said: hi\nabout returns']);
  });

  it('lose nothing where their answer fails', async () => {
    const hold = door();
    let fails = true;
    world.dialogue.answer = async function* ({ text }, signal) {
      await hold.opened;
      signal.throwIfAborted();
      if (fails) throw new Error('The dialogue is broken.');
      yield* sentencesOf(`You said: ${text}`);
    };
    await client.say(conversationId, 'hi', { clientMessageId: 'one' });
    await client.say(conversationId, 'about returns', { clientMessageId: 'two' });
    hold.open();
    expect(await client.nth('error')).toMatchObject({ clientMessageId: 'two' });
    await client.quiet(2);
    fails = false;
    await client.say(conversationId, 'about returns', { clientMessageId: 'two' });
    await client.quiet(3);
    expect(answers().at(-1)?.message).toBe('You said: hi\nabout returns');
  });
});

it('questions of their own get answers of their own', async () => {
  const hold = answerBehind();
  await client.say(conversationId, 'Do you ship to Canada?');
  await client.say(conversationId, 'How much is that?');
  await client.say(conversationId, 'And how long is the warranty?');
  hold.open();
  await client.quiet(3);
  expect(answers().map(({ message }) => message)).toEqual([
    'You said: Do you ship to Canada?\nHow much is that?',
    'You said: And how long is the warranty?',
  ]);
});
