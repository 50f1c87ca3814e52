import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { StartConversationAck } from '#shared/realtime';
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

/** A dialogue that says one sentence, then waits at a door before the second. */
function halfAnswer() {
  const gate = door();
  world.dialogue.answer = async function* () {
    yield { type: 'sentence', index: 0, text: 'One moment.', isLast: false };
    await gate.opened;
    yield { type: 'sentence', index: 1, text: 'Here it is.', isLast: true };
    yield { type: 'reply', text: 'One moment. Here it is.', citations: [], outcome: 'answered' };
  };
  return gate;
}

const leave = (leaving: CallClient) => {
  leaving.socket.disconnect();
  return world.serverSawLeaving(leaving);
};

describe('going on with an open conversation', () => {
  it('makes no second one and brings everything said so far', async () => {
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet();
    await leave(client);
    const back = await world.connect(user);
    const started = await back.start({ conversationId });
    expect(started.conversationId).toBe(conversationId);
    expect(started).not.toHaveProperty('welcomeMessage');
    expect(started.demoAgent).toEqual({ name: 'Sigma', company: 'Northwind Test' });
    expect(
      started.messages?.map(({ role, content, clientMessageId }) => ({ role, content, clientMessageId })),
    ).toEqual([
      { role: 'assistant', content: 'Hello, this is Sigma of Northwind Test.', clientMessageId: undefined },
      { role: 'user', content: 'Hi', clientMessageId: 'a' },
      { role: 'assistant', content: 'You said: Hi Anything else?', clientMessageId: undefined },
    ]);
    const { conversations } = await world.conversations.list(ownScope(user), { limit: 50 });
    expect(conversations).toHaveLength(1);
  });

  it('refuses one that has ended', async () => {
    await world.conversations.end(ownScope(user), conversationId);
    const ack = await client.send<StartConversationAck>('start_conversation', {
      userId: user._id,
      conversationId,
    });
    expect(ack).toMatchObject({ ok: false, error: { code: 'conversation-ended', conversationId } });
  });

  it('refuses it under the name of another agent', async () => {
    const agentId = await world.addAgent(user);
    const ack = await client.send<StartConversationAck>('start_conversation', {
      userId: user._id,
      conversationId,
      agentId,
    });
    expect(ack).toMatchObject({ ok: false, error: { code: 'not-found' } });
  });
});

describe('a client that goes away during its turn', () => {
  it('finds the reply in the conversation when it comes back after it', async () => {
    const gate = halfAnswer();
    await client.say(conversationId, 'Hi');
    await client.nth('ai_response_chunk');
    await leave(client);
    gate.open();
    await world.calls.idle();
    const back = await world.connect(user, { streaming: true });
    const started = await back.start({ conversationId });
    expect(started.messages?.at(-1)).toMatchObject({ role: 'assistant', content: 'One moment. Here it is.' });
    expect(back.order).toEqual(['conversation_started']);
  });

  it('hears the turn from its beginning when it comes back in the middle', async () => {
    const gate = halfAnswer();
    await client.say(conversationId, 'Hi');
    await client.nth('ai_response_chunk');
    await leave(client);
    const back = await world.connect(user, { streaming: true });
    const started = await back.start({ conversationId });
    await back.nth('ai_response_chunk');
    gate.open();
    await back.nth('conversation_updated');
    expect(started.messages?.at(-1)).toMatchObject({ role: 'user', content: 'Hi' });
    expect(back.order).toEqual([
      'conversation_started',
      'typing true',
      'ai_response_chunk',
      'ai_response_chunk',
      'ai_response',
      'typing false',
      'conversation_updated',
    ]);
    expect(
      back.all('ai_response_chunk').map(({ text, audioData }) => [text, audioData !== undefined]),
    ).toEqual([
      ['One moment.', true],
      ['Here it is.', true],
    ]);
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('gets the replies to everything that still waited for its turn', async () => {
    const gate = halfAnswer();
    await client.say(conversationId, 'First');
    await client.say(conversationId, 'Second');
    await leave(client);
    const back = await world.connect(user);
    await back.start({ conversationId });
    gate.open();
    await back.quiet(2);
    expect(back.all('ai_response')).toHaveLength(2);
  });

  it('costs no voice while nobody listens', async () => {
    const gate = halfAnswer();
    await client.say(conversationId, 'Hi');
    await client.nth('ai_response_chunk');
    await leave(client);
    world.synthesis.spoken.length = 0;
    gate.open();
    await world.calls.idle();
    expect(world.synthesis.spoken).toEqual([]);
  });

  it('leaves a turn to the tab that asked, when another tab joins in the middle', async () => {
    const gate = halfAnswer();
    await client.say(conversationId, 'Hi');
    await client.nth('ai_response_chunk');
    const watching = await world.connect(user, { streaming: true });
    await watching.start({ conversationId });
    gate.open();
    await Promise.all([client.quiet(), watching.nth('conversation_updated')]);
    expect(watching.order).toEqual([
      'conversation_started',
      'typing true',
      'ai_response',
      'typing false',
      'conversation_updated',
    ]);
    expect(client.all('ai_response_chunk')).toHaveLength(2);
    expect(watching.all('conversation_started')).toMatchObject([{ answering: true }]);
  });

  it('sends its unacknowledged message again after coming back, and it is stored once', async () => {
    client.emit('user_message', { conversationId, message: 'Hi', clientMessageId: 'a' });
    await client.nth('typing');
    await leave(client);
    const back = await world.connect(user);
    await back.start({ conversationId });
    await back.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await back.nth('ai_response');
    await world.calls.idle();
    const { messages } = await world.conversations.get(ownScope(user), conversationId);
    expect(messages.map(({ role }) => role)).toEqual(['assistant', 'user', 'assistant']);
  });
});

it('stores a reply whose client vanished before the first word', async () => {
  const gate = door();
  world.dialogue.answer = async function* () {
    await gate.opened;
    yield* sentencesOf('Late but there.');
  };
  await client.say(conversationId, 'Hi');
  await leave(client);
  gate.open();
  await world.calls.idle();
  const { messages } = await world.conversations.get(ownScope(user), conversationId);
  expect(messages.at(-1)?.content).toBe('Late but there.');
});
