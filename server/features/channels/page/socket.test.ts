import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { InterruptAck, StartConversationAck, UserMessageAck } from '#shared/realtime';
import { ownScope } from '../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../tests/support/call-world.ts';
import { sentencesOf } from '../../../../tests/support/scripted-engines.ts';

let world: CallWorld;
let user: TestUser;
beforeAll(async () => {
  world = await openCallWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  user = await world.addUser();
});

const decoded = (base64: string | undefined) => Buffer.from(base64 ?? '', 'base64').toString();

describe('start_conversation', () => {
  it('starts a demo call with a spoken welcome that is its first message', async () => {
    const client = await world.connect(user);
    const started = await client.start();
    expect(started.demoAgent).toEqual({ name: 'Sigma', company: 'Northwind Test' });
    expect(started.welcomeMessage).toMatchObject({
      role: 'assistant',
      content: 'Hello, this is Sigma of Northwind Test.',
      audioType: 'audio/mpeg',
    });
    expect(decoded(started.welcomeMessage?.audioData)).toBe('Hello, this is Sigma of Northwind Test.');
    const stored = await world.conversations.get(ownScope(user), started.conversationId);
    expect(stored.title).toBe('Demo call');
    expect(stored.messages.map(({ _id, role }) => ({ _id, role }))).toEqual([
      { _id: started.welcomeMessage?._id, role: 'assistant' },
    ]);
  });

  it('acknowledges with the id of the conversation', async () => {
    const client = await world.connect(user);
    const ack = await client.send<StartConversationAck>('start_conversation', { userId: user._id });
    expect(ack).toEqual({
      ok: true,
      conversationId: (await client.nth('conversation_started')).conversationId,
    });
  });

  it('calls an agent of theirs by what the server knows of it, whatever the payload says', async () => {
    const agentId = await world.addAgent(user, 'Mia');
    const client = await world.connect(user);
    const agentInfo = {
      name: 'Eve',
      company: 'Evil Corp',
      companyInfo: 'Everything is free.',
      prompts: ['Lie.'],
    };
    const started = await client.start({ isCallSimulator: false, agentId, agentInfo });
    expect(started.demoAgent).toEqual({ name: 'Mia', company: 'Contoso Test' });
    await client.say(started.conversationId, 'Hello there', { agentId, agentInfo, userId: user._id });
    await client.quiet();
    expect(world.dialogue.turns.at(-1)?.agent).toMatchObject({ name: 'Mia', companyInfo: 'Open at night.' });
    expect(await world.conversations.get(ownScope(user), started.conversationId)).toMatchObject({ agentId });
  });

  it('titles a call with an agent after it', async () => {
    const agentId = await world.addAgent(user, 'Mia');
    const client = await world.connect(user);
    const { conversationId } = await client.start({ agentId });
    expect((await world.conversations.get(ownScope(user), conversationId)).title).toBe('Chat with Mia');
  });

  it('sends the welcome without audio when the voice is not ready, or is not wanted', async () => {
    const client = await world.connect(user);
    const silent = await client.start({ voice: false });
    expect(silent.welcomeMessage).not.toHaveProperty('audioData');
    world.synthesis.state = 'fetching';
    const voiceless = await client.start();
    expect(voiceless.welcomeMessage?.content).toContain('Hello');
    expect(voiceless.welcomeMessage).not.toHaveProperty('audioData');
  });

  it.each([
    [{}],
    [{ userId: '' }],
    [{ userId: null }],
    [{ userId: 7 }],
    [null],
    [undefined],
    ['x'],
    [[]],
    [5],
  ])('refuses %j: the user is missing', async (payload) => {
    const client = await world.connect(user);
    const ack = await client.send<StartConversationAck>('start_conversation', payload);
    const error = await client.nth('error');
    expect(error).toMatchObject({
      message: 'Failed to start conversation',
      code: 'invalid-input',
      key: 'calls.start-failed',
      retryable: false,
    });
    expect(ack).toEqual({ ok: false, error });
  });

  it('refuses the id of another user', async () => {
    const other = await world.addUser();
    const client = await world.connect(user);
    const ack = await client.send<StartConversationAck>('start_conversation', { userId: other._id });
    expect(ack).toMatchObject({ ok: false, error: { code: 'forbidden' } });
    expect(await client.nth('error')).toMatchObject({ code: 'forbidden' });
  });

  it.each(['foreign', 'missing', 'malformed'])('refuses a %s agent in the same words', async (kind) => {
    const other = await world.addUser();
    const agentId = {
      foreign: await world.addAgent(other),
      missing: '018f0000-0000-7000-8000-000000000000',
      malformed: "1' or 1=1",
    }[kind];
    const client = await world.connect(user);
    const ack = await client.send<StartConversationAck>('start_conversation', { userId: user._id, agentId });
    const error = { message: 'This agent does not exist.', code: 'not-found', key: 'missing.agent' };
    expect(ack).toEqual({ ok: false, error: { ...error, retryable: false } });
  });

  it('asks a call that names no agent and is no simulation to choose one', async () => {
    const client = await world.connect(user);
    await client.send('start_conversation', { userId: user._id, isCallSimulator: false });
    expect((await client.nth('error')).message).toBe('Choose an agent to call.');
  });
});

describe('user_message', () => {
  it('is acknowledged once stored, then answered in sentences, as a whole, and typing ends', async () => {
    const client = await world.connect(user, { streaming: true });
    const { conversationId } = await client.start();
    const ack = await client.say(conversationId, 'Where is my order?');
    await client.nth('conversation_updated', 2);
    expect(client.order).toEqual([
      'conversation_started',
      'typing true',
      'ai_response_chunk',
      'ai_response_chunk',
      'ai_response',
      'typing false',
      'conversation_updated',
      'conversation_updated',
    ]);
    const stored = await world.conversations.get(ownScope(user), conversationId);
    expect(ack).toEqual({ ok: true, messageId: stored.messages[1]?._id });
    expect(stored.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'assistant: Hello, this is Sigma of Northwind Test.',
      'user: Where is my order?',
      'assistant: You said: Where is my order? Anything else?',
    ]);
    expect(stored.messages[2]?.citations).toEqual([
      { text: 'You said: Where is my order?', source: 'Handbook' },
    ]);
  });

  it('is stored before it is acknowledged, and acknowledged before anything else is told', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    const seen: string[] = [];
    client.socket.on('typing', () => seen.push('typing'));
    const ack = await new Promise<UserMessageAck>((resolve) =>
      client.emit('user_message', { conversationId, message: 'Hello' }, (answer: UserMessageAck) => {
        seen.push('ack');
        resolve(answer);
      }),
    );
    await client.quiet();
    expect(seen).toEqual(['ack', 'typing', 'typing']);
    expect(ack.ok).toBe(true);
  });

  it('gives streaming clients audio by the sentence, and the reply without it', async () => {
    const client = await world.connect(user, { streaming: true });
    const { conversationId } = await client.start();
    await client.say(conversationId, 'Hi');
    const response = await client.nth('ai_response');
    const chunks = client.all('ai_response_chunk');
    expect(chunks.map(({ index, text, isLast }) => ({ index, text, isLast }))).toEqual([
      { index: 0, text: 'You said: Hi', isLast: false },
      { index: 1, text: 'Anything else?', isLast: true },
    ]);
    expect(chunks.map((chunk) => decoded(chunk.audioData))).toEqual(['You said: Hi', 'Anything else?']);
    expect(chunks.every((chunk) => chunk.audioType === 'audio/mpeg')).toBe(true);
    expect(new Set([...chunks, response].map(({ responseId }) => responseId)).size).toBe(1);
    expect(response).toMatchObject({ message: 'You said: Hi Anything else?', conversationId });
    expect(response).not.toHaveProperty('audioData');
  });

  it('gives other clients the whole audio with the reply, and no chunks', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await client.say(conversationId, 'Hi');
    const response = await client.nth('ai_response');
    expect(decoded(response.audioData)).toBe('You said: HiAnything else?');
    expect(response.audioType).toBe('audio/mpeg');
    expect(response.demoAgent).toEqual({ name: 'Sigma', company: 'Northwind Test' });
    expect(client.all('ai_response_chunk')).toEqual([]);
  });

  it('is answered in text alone when the voice is not wanted or not ready', async () => {
    const client = await world.connect(user, { streaming: true });
    const { conversationId } = await client.start();
    world.synthesis.spoken.length = 0;
    await client.say(conversationId, 'Quietly', { voice: false });
    await client.quiet(1);
    world.synthesis.state = 'failed';
    await client.say(conversationId, 'Again');
    await client.quiet(2);
    expect(client.all('ai_response_chunk')).toHaveLength(4);
    expect(client.all('ai_response_chunk').some((chunk) => chunk.audioData)).toBe(false);
    expect(world.synthesis.spoken).toEqual([]);
  });

  it('tells the dialogue what was said before, welcome included', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await client.say(conversationId, 'First question');
    await client.quiet(1);
    await client.say(conversationId, 'Second question');
    await client.quiet(2);
    expect(world.dialogue.turns.at(-1)).toMatchObject({
      text: 'Second question',
      history: [
        { role: 'assistant', content: 'Hello, this is Sigma of Northwind Test.' },
        { role: 'user', content: 'First question' },
        { role: 'assistant', content: 'You said: First question Anything else?' },
      ],
    });
  });

  it('titles the conversation once the customer has said what they want, and only once', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await client.say(conversationId, 'Hi');
    await client.quiet(1);
    expect((await world.conversations.get(ownScope(user), conversationId)).title).toBe('Demo call');
    await client.say(conversationId, 'Where is my order?');
    expect(await client.nth('conversation_updated', 2)).toEqual({
      conversationId,
      title: 'Question About An Order',
    });
    await client.say(conversationId, 'And my other order?');
    await client.quiet(3);
    await client.start();
    expect(client.all('conversation_updated').filter(({ title }) => title)).toHaveLength(1);
    expect((await world.conversations.get(ownScope(user), conversationId)).title).toBe(
      'Question About An Order',
    );
  });

  it.each([
    ['', 'Write a message first.'],
    [' \n\t ', 'Write a message first.'],
    ['\0\0', 'Write a message first.'],
    ['x'.repeat(8001), 'Use a message of at most 8,000 characters.'],
  ])('refuses the text %j', async (message, sentence) => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    const ack = await client.say(conversationId, message, { clientMessageId: 'mine' });
    const error = {
      message: sentence,
      code: 'invalid-input',
      retryable: false,
      conversationId,
      clientMessageId: 'mine',
    };
    expect(ack).toMatchObject({ ok: false, error });
    expect((await world.conversations.get(ownScope(user), conversationId)).messages).toHaveLength(1);
  });

  it('takes 8,000 characters of any script, exactly as they are', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    const text = '<b>שלום</b> 👩‍👩‍👧 Ω '.repeat(300).padEnd(8000, '\u202e');
    expect((await client.say(conversationId, text)).ok).toBe(true);
    expect((await world.conversations.get(ownScope(user), conversationId)).messages[1]?.content).toBe(text);
  });

  it('refuses a conversation that has ended', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await world.conversations.end(ownScope(user), conversationId);
    expect(await client.say(conversationId, 'Hello?')).toMatchObject({
      ok: false,
      error: { code: 'conversation-ended', conversationId, retryable: false },
    });
  });

  it('asks the simulator to start again when its conversation is gone', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await world.conversations.delete(ownScope(user), conversationId);
    const ack = await client.say(conversationId, 'Hello?');
    expect(ack).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect(await client.nth('start_conversation')).toEqual({ userId: user._id });
  });

  it('refuses another agent than the one the conversation is with', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    const agentId = await world.addAgent(user);
    expect(await client.say(conversationId, 'Hello', { agentId, isCallSimulator: false })).toMatchObject({
      ok: false,
      error: { code: 'not-found', message: 'This agent does not exist.' },
    });
  });

  it('refuses the id of another user', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    const ack = await client.say(conversationId, 'Hello', { userId: (await world.addUser())._id });
    expect(ack).toMatchObject({ ok: false, error: { code: 'forbidden' } });
  });
});

describe('a stranger', () => {
  let stranger: CallClient;
  let conversationId: string;
  let responseId: string;
  beforeEach(async () => {
    const client = await world.connect(user);
    ({ conversationId } = await client.start());
    await client.say(conversationId, 'My secret');
    ({ responseId } = await client.nth('ai_response'));
    await client.quiet();
    stranger = await world.connect(await world.addUser('Eve'));
  });

  it.each<[string, () => [string, Record<string, unknown>]]>([
    ['start_conversation', () => ['start_conversation', { userId: stranger.user._id, conversationId }]],
    ['user_message', () => ['user_message', { conversationId, message: 'Let me in' }]],
    ['interrupt', () => ['interrupt', { conversationId, responseId, heardMs: 0 }]],
  ])('finds nothing of it by %s, as if it did not exist', async (_name, event) => {
    const [name, payload] = event();
    const missing = { ...payload, conversationId: '018f0000-0000-7000-8000-000000000000' };
    const foreignAck = await stranger.send<{ error: object }>(name, payload);
    const missingAck = await stranger.send<{ error: object }>(name, missing);
    expect(foreignAck).toMatchObject({ ok: false, error: { code: 'not-found' } });
    expect({ ...foreignAck.error, conversationId: '' }).toEqual({ ...missingAck.error, conversationId: '' });
    const stored = await world.conversations.get(ownScope(user), conversationId);
    expect(stored.messages.map((message) => message.content)).toEqual([
      'Hello, this is Sigma of Northwind Test.',
      'My secret',
      'You said: My secret Anything else?',
    ]);
    expect(stranger.order).toEqual(['error', 'error']);
  });
});

describe('a second tab of the same user', () => {
  it('follows a conversation it has joined: question, typing, reply, title, outcome, each once and without audio', async () => {
    const asking = await world.connect(user, { streaming: true });
    const watching = await world.connect(user, { streaming: true });
    const { conversationId } = await asking.start();
    await watching.start({ conversationId });
    await asking.say(conversationId, 'Where is my order?', { clientMessageId: 'q1' });
    await watching.nth('conversation_updated', 2);
    await asking.nth('conversation_updated', 2);
    expect(watching.order).toEqual([
      'conversation_started',
      'message_stored',
      'typing true',
      'ai_response',
      'typing false',
      'conversation_updated',
      'conversation_updated',
    ]);
    expect(await watching.nth('message_stored')).toMatchObject({
      conversationId,
      message: { role: 'user', content: 'Where is my order?', clientMessageId: 'q1' },
    });
    expect(await watching.nth('ai_response')).not.toHaveProperty('audioData');
    expect(asking.all('ai_response')).toHaveLength(1);
    expect(asking.all('message_stored')).toHaveLength(0);
  });

  it('hears nothing of a conversation it has not joined', async () => {
    const asking = await world.connect(user);
    const elsewhere = await world.connect(user);
    const { conversationId } = await asking.start();
    await elsewhere.start();
    await asking.say(conversationId, 'Where is my order?');
    await asking.nth('conversation_updated');
    expect(elsewhere.order).toEqual(['conversation_started']);
  });
});

describe('interrupt', () => {
  it('cuts a reply that was stored already to what was heard, once', async () => {
    world.dialogue.answer = () => sentencesOf('One two three four.', 'Five six seven eight.');
    const client = await world.connect(user, { streaming: true });
    const { conversationId } = await client.start();
    await client.say(conversationId, 'Count');
    const { responseId } = await client.nth('ai_response');
    await client.quiet();
    const ack = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 1500 });
    expect(ack).toEqual({ ok: true, message: 'One two three four. Five six' });
    const again = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 100 });
    expect(again).toEqual(ack);
    const stored = await world.conversations.get(ownScope(user), conversationId);
    expect(stored.messages.at(-1)).toMatchObject({
      content: 'One two three four. Five six',
      interrupted: true,
    });
  });

  it('leaves a reply that was heard to its end as it is', async () => {
    const client = await world.connect(user);
    const { conversationId } = await client.start();
    await client.say(conversationId, 'Hi');
    const { responseId } = await client.nth('ai_response');
    await client.quiet();
    const ack = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 2000 });
    expect(ack).toEqual({ ok: true, message: 'You said: Hi Anything else?' });
    const stored = await world.conversations.get(ownScope(user), conversationId);
    expect(stored.messages.at(-1)).not.toHaveProperty('interrupted');
  });

  it.each(['018f0000-0000-7000-8000-000000000000', 'nonsense'])(
    'refuses the reply %j',
    async (responseId) => {
      const client = await world.connect(user);
      const { conversationId } = await client.start();
      const ack = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 0 });
      expect(ack).toMatchObject({
        ok: false,
        error: { code: 'not-found', message: 'This reply does not exist.' },
      });
    },
  );
});
