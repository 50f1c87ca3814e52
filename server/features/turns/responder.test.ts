import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { events } from '#server/database/schema';
import { ownScope } from '../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../tests/support/call-world.ts';
import { Colleague } from '../../../tests/support/colleague.ts';
import { agentResponder, type Responder } from './responder.ts';

describe('a conversation that a colleague answers in', () => {
  let world: CallWorld;
  let colleague: Colleague;
  let responder: Responder;
  let user: TestUser;
  let client: CallClient;
  let conversationId: string;

  beforeAll(async () => {
    world = await openCallWorld({ responderOf: async () => responder, limits: { turnTimeoutMs: 400 } });
  });
  afterAll(() => world.close());
  beforeEach(async () => {
    world.reset();
    colleague = new Colleague();
    responder = colleague;
    user = await world.addUser();
    client = await world.connect(user, { streaming: true });
    ({ conversationId } = await client.start());
  });

  const stored = async () =>
    (await world.conversations.get(ownScope(user), conversationId)).messages
      .slice(1)
      .map(({ author, content }) => ({ author, content }));
  const theirs = (content: string) => ({ author: { kind: 'contact' }, content });
  const danas = (content: string) => ({ author: { kind: 'colleague', name: 'Dana' }, content });
  const asked = (count = 1) => expect.poll(() => colleague.turns.length).toBe(count);

  it('gets typed lines as they come, with voice, under the name of the colleague', async () => {
    const tab = await world.connect(user, { streaming: true });
    await tab.start({ conversationId });
    await client.say(conversationId, 'Where is my order?');
    await asked();
    expect(client.all('typing')).toEqual([]);
    colleague.writes('I am looking.');
    expect(await client.nth('ai_response_chunk')).toMatchObject({ text: 'I am looking.', index: 0 });
    colleague.writes('It is on its way.');
    colleague.isDone();
    const reply = await client.nth('ai_response');
    const message = 'I am looking. It is on its way.';
    expect(reply).toMatchObject({ message, author: { kind: 'colleague', name: 'Dana' } });
    expect(reply.replyTo).toEqual(expect.any(String));
    expect(reply.outcome).toBeUndefined();
    await client.quiet();
    expect(client.all('ai_response_chunk').map(({ audioData }) => audioData)).toEqual(
      ['I am looking.', 'It is on its way.'].map((text) => Buffer.from(text).toString('base64')),
    );
    expect(await tab.nth('ai_response')).toMatchObject({ message, author: { name: 'Dana' } });
    expect((await tab.nth('message_stored')).message).toMatchObject({ author: { kind: 'contact' } });
    expect(await stored()).toEqual([theirs('Where is my order?'), danas(message)]);
    const late = await world.connect(user);
    const { messages = [] } = await late.start({ conversationId });
    expect(messages.at(-1)).toMatchObject({ content: message, author: { kind: 'colleague', name: 'Dana' } });
  });

  it('has the same events as with an agent, on which sentiment and titles hang', async () => {
    await client.say(conversationId, 'This is the third time that I ask!');
    await asked();
    colleague.writes('I am sorry.');
    colleague.isDone();
    await client.nth('ai_response');
    const rows = await world.database.db
      .select({ type: events.type })
      .from(events)
      .where(eq(events.conversationId, conversationId))
      .orderBy(events.id);
    const types = rows.map(({ type }) => type);
    expect(types).toEqual(['conversation.started', 'turn.taken', 'turn.answered']);
    expect(await client.nth('conversation_updated')).toMatchObject({ title: 'Question About An Order' });
  });

  it('waits for them longer than for an agent', async () => {
    await client.say(conversationId, 'Hello?');
    await asked();
    await new Promise((resolve) => setTimeout(resolve, 500));
    colleague.writes('Sorry, I am here now.');
    colleague.isDone();
    await client.nth('ai_response');
    expect(await stored()).toEqual([theirs('Hello?'), danas('Sorry, I am here now.')]);
    expect(client.all('error')).toEqual([]);
  });

  it('goes on where they leave a turn unanswered', async () => {
    await client.say(conversationId, 'Are you there?');
    await asked();
    colleague.isDone();
    await client.quiet();
    await client.say(conversationId, 'Anybody?');
    await asked(2);
    colleague.writes('Yes.');
    colleague.isDone();
    await client.nth('ai_response');
    expect(await stored()).toEqual([theirs('Are you there?'), theirs('Anybody?'), danas('Yes.')]);
    expect(client.all('error')).toEqual([]);
    expect(world.failures).toEqual([]);
  });

  it('ends for them when the customer hangs up', async () => {
    await client.say(conversationId, 'Never mind.');
    await asked();
    await world.conversations.end(ownScope(user), conversationId);
    await client.quiet();
    expect(colleague.calledOff).toBe(1);
  });

  it('is spoken and heard as with an agent, and nobody is asked ahead', async () => {
    await client.send('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' });
    const microphone = world.microphones.at(-1);
    microphone?.says('Where is my order?');
    await asked();
    expect(world.dialogue.turns).toEqual([]);
    colleague.writes('It is on its way.');
    const chunk = await client.nth('ai_response_chunk');
    expect(chunk.audioData).toBe(Buffer.from('It is on its way.').toString('base64'));
    await client.send('playback', { conversationId, responseId: chunk.responseId });
    expect(microphone?.agentSaid.at(-1)).toBe('It is on its way.');
    await client.send('interrupt', { conversationId, responseId: chunk.responseId, heardMs: 0 });
    await client.quiet();
    expect(colleague.calledOff).toBe(1);
    expect(await stored()).toEqual([theirs('Where is my order?'), danas('')]);
  });

  it('tells and speaks what they say beside a reply, to the client that spoke last', async () => {
    const tab = await world.connect(user, { streaming: true });
    await tab.start({ conversationId });
    await client.say(conversationId, 'Where is my order?');
    await asked();
    colleague.writes('On its way.');
    colleague.isDone();
    await client.nth('ai_response');
    const words = {
      scope: ownScope(user),
      conversationId,
      author: colleague.author,
      text: 'It comes today.',
    };
    const messageId = await world.calls.say(words);
    const told = await client.nth('ai_response', 2);
    expect(told).toMatchObject({
      ...{ messageId, message: 'It comes today.' },
      author: { kind: 'colleague', name: 'Dana' },
    });
    expect(told).not.toHaveProperty('replyTo');
    const chunk = client.all('ai_response_chunk').at(-1);
    expect(chunk?.audioData).toBe(Buffer.from('It comes today.').toString('base64'));
    expect(chunk?.author).toEqual({ kind: 'colleague', name: 'Dana' });
    expect(await tab.nth('ai_response', 2)).toMatchObject({ messageId, message: 'It comes today.' });
    expect(tab.all('ai_response_chunk')).toEqual([]);
    expect(await stored()).toEqual([
      theirs('Where is my order?'),
      danas('On its way.'),
      danas('It comes today.'),
    ]);
    await client.send('interrupt', { conversationId, responseId: told.responseId, heardMs: 0 });
    expect((await stored()).at(-1)).toEqual(danas(''));
  });

  it('is told of words beside a reply as text where nobody hears', async () => {
    client.socket.disconnect();
    await world.serverSawLeaving(client);
    world.synthesis.spoken.length = 0;
    const words = { scope: ownScope(user), conversationId, author: colleague.author, text: 'Call us back.' };
    await world.calls.say(words);
    expect(world.synthesis.spoken).toEqual([]);
    expect(await stored()).toEqual([danas('Call us back.')]);
    await world.conversations.end(ownScope(user), conversationId);
    await expect(world.calls.say(words)).rejects.toMatchObject({ code: 'conversation-ended' });
  });

  it('is not asked by the agent whether anybody is there', async () => {
    const call = { scope: ownScope(user), conversationId, voice: true, isQuiet: () => true };
    expect(await world.calls.askWhetherThere(call, world.nobody())).toBe(false);
    responder = agentResponder(world.dialogue);
    expect(await world.calls.askWhetherThere(call, world.nobody())).toBe(true);
  });

  it('tells the agent who goes on what the colleague has said', async () => {
    await client.say(conversationId, 'Where is my order?');
    await asked();
    colleague.writes('On its way.');
    colleague.isDone();
    await client.nth('ai_response');
    responder = agentResponder(world.dialogue);
    await client.say(conversationId, 'Thank you!');
    expect((await client.nth('ai_response', 2)).author).toEqual({ kind: 'agent' });
    expect(world.dialogue.turns[0]?.history.at(-1)).toEqual({
      role: 'assistant',
      colleague: 'Dana',
      content: 'On its way.',
    });
  });
});
