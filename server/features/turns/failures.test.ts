import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { soundOfText } from '#server/engines/encoding/fake';
import { EngineError } from '#server/lib/engine-error';
import type { InterruptAck } from '#shared/realtime';
import { ownScope } from '../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../tests/support/call-world.ts';
import { door, sentencesOf } from '../../../tests/support/scripted-engines.ts';
import { openTestDatabase, type TestDatabase } from '../../../tests/support/test-database.ts';
import type { CallLimits } from './limits.ts';

let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;

let database: TestDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function openWorld(limits: Partial<CallLimits> = {}) {
  world = await openCallWorld({ database, limits });
}

async function startCall() {
  world.reset();
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start());
}

const saidIn = async () => (await world.conversations.get(ownScope(user), conversationId)).messages.slice(1);

/** A dialogue that says one sentence and then waits until it is aborted. */
function endlessAnswer() {
  const aborted = door();
  world.dialogue.answer = async function* (_turn, signal) {
    yield { type: 'sentence', index: 0, text: 'One two three four.', isLast: false };
    await new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => {
        aborted.open();
        reject(signal.reason);
      }),
    );
  };
  return aborted;
}

describe('a turn that fails', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(startCall);

  it('keeps the question, tells why, and typing ends', async () => {
    world.dialogue.answer = async function* () {
      yield { type: 'sentence', index: 0, text: 'Well,', isLast: false };
      throw new EngineError('The language model is away. Please try again.', { retryable: true });
    };
    await client.say(conversationId, 'Hi');
    await client.quiet();
    expect(client.order.slice(-2)).toEqual(['error', 'typing false']);
    expect(await client.nth('error')).toMatchObject({
      message: 'The language model is away. Please try again.',
      code: 'unavailable',
      retryable: true,
      conversationId,
    });
    expect(client.all('ai_response')).toEqual([]);
    expect((await saidIn()).map(({ content }) => content)).toEqual(['Hi']);
  });

  it('passes on that trying again cannot help', async () => {
    world.dialogue.answer = () => {
      throw new EngineError('The language model refuses its key.', { retryable: false });
    };
    await client.say(conversationId, 'Hi');
    expect(await client.nth('error')).toMatchObject({ retryable: false });
  });

  it('gives nothing away of an error nobody expected, and reports it', async () => {
    world.dialogue.answer = () => {
      throw new TypeError('secret path /home/x');
    };
    await client.say(conversationId, 'Hi');
    const error = await client.nth('error');
    expect(error).toMatchObject({ code: 'internal', message: expect.not.stringContaining('secret') });
    expect(world.failures).toMatchObject([{ what: 'turn', error: { message: 'secret path /home/x' } }]);
  });

  it('does not hold up the next one', async () => {
    let turns = 0;
    world.dialogue.answer = ({ text }) => {
      if (turns++ === 0) throw new Error('broken');
      return sentencesOf(`Re: ${text}`);
    };
    // Too long to be answered together.
    const [first, second] = ['First', 'Second'].map((text) => text.padEnd(501, '.'));
    await client.say(conversationId, first ?? '');
    await client.say(conversationId, second ?? '');
    expect((await client.nth('ai_response')).message).toBe(`Re: ${second}`);
  });

  it('tells that the agent is gone when it was deleted during the call', async () => {
    const agentId = await world.addAgent(user);
    const call = await client.start({ agentId });
    await world.deleteAgent(agentId);
    await client.say(call.conversationId, 'Still there?');
    expect(await client.nth('error')).toMatchObject({
      code: 'not-found',
      message: 'This agent does not exist.',
    });
    const { messages } = await world.conversations.get(ownScope(user), call.conversationId);
    expect(messages.at(-1)?.content).toBe('Still there?');
  });
});

describe('a database that fails', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(startCall);

  it('means no acknowledgement, one safe sentence, and that the same message may be sent again', async () => {
    const restore = world.breakStorage('addUserMessage', 'duplicate key: Hi');
    const ack = await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    const error = await client.nth('error');
    expect(ack).toEqual({ ok: false, error });
    expect(error).toMatchObject({ code: 'internal', retryable: true, clientMessageId: 'a' });
    expect(error.message).not.toContain('duplicate key');
    restore();
    expect(await client.say(conversationId, 'Hi', { clientMessageId: 'a' })).toMatchObject({ ok: true });
    await client.nth('ai_response');
    expect(await saidIn()).toHaveLength(2);
  });

  it('fails the turn whose reply it cannot store, and never claims that it did', async () => {
    const restore = world.breakStorage('addReply', 'disk full');
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet();
    expect(client.order.slice(-2)).toEqual(['error', 'typing false']);
    expect(client.all('ai_response')).toEqual([]);
    restore();
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.nth('ai_response');
    expect((await saidIn()).map(({ role }) => role)).toEqual(['user', 'assistant']);
  });

  it('does not spoil an answer when only its title cannot be stored', async () => {
    const restore = world.breakStorage('giveTitle', 'disk full');
    await client.say(conversationId, 'Where is my order?');
    await client.quiet();
    await world.calls.idle();
    restore();
    expect(client.all('error')).toEqual([]);
    expect(world.failures).toMatchObject([{ what: 'turn' }]);
    await client.say(conversationId, 'Where is my order?');
    expect(await client.nth('conversation_updated', 2)).toMatchObject({ title: 'Question About An Order' });
  });
});

describe('a voice that fails', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(startCall);

  it('leaves its sentence as text, and the turn goes on', async () => {
    const { speak } = world.synthesis;
    world.synthesis.speak = async (request) => {
      if (request.text.startsWith('You')) throw new EngineError('The voice stumbled.', { retryable: true });
      return speak(request);
    };
    await client.say(conversationId, 'Hi');
    await client.quiet();
    expect(
      client.all('ai_response_chunk').map(({ text, audioData }) => [text, audioData !== undefined]),
    ).toEqual([
      ['You said: Hi', false],
      ['Anything else?', true],
    ]);
    expect(client.all('error')).toEqual([]);
    expect(world.failures.map(({ what }) => what)).toEqual(['voice']);
  });

  it('dies in the middle of a turn: the rest of the reply is text, and all of it is stored', async () => {
    world.dialogue.answer = () => sentencesOf('A.', 'B.', 'C.', 'D.', 'E.', 'F.');
    const { speak } = world.synthesis;
    world.synthesis.speak = async (request) => {
      if (request.text !== 'C.') return speak(request);
      world.synthesis.state = 'failed';
      throw new Error('killed');
    };
    await client.say(conversationId, 'Hi');
    await client.quiet();
    const chunks = client.all('ai_response_chunk');
    expect(chunks.map(({ text }) => text).join(' ')).toBe('A. B. C. D. E. F.');
    expect(chunks[0]?.audioData).toBeDefined();
    expect(chunks.at(-1)?.audioData).toBeUndefined();
    expect((await saidIn()).at(-1)?.content).toBe('A. B. C. D. E. F.');
  });
});

describe('a turn that is called off', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(startCall);

  it.each([
    ['ended', 'conversation-ended'],
    ['deleted', 'not-found'],
  ])('stops when its conversation is %s, and so do those that wait', async (how, code) => {
    const aborted = endlessAnswer();
    await client.say(conversationId, 'First');
    // Before its answer begins, a second message would be answered with the first.
    await client.nth('ai_response_chunk');
    await client.say(conversationId, 'Second');
    if (how === 'ended') await world.conversations.end(ownScope(user), conversationId);
    else await world.conversations.delete(ownScope(user), conversationId);
    await aborted.opened;
    await client.nth('error', 2);
    await world.calls.idle();
    expect(client.all('error').map((error) => error.code)).toEqual([code, code]);
    expect(client.order.at(-1)).toBe('typing false');
    expect(world.dialogue.turns).toHaveLength(1);
    if (how === 'ended') expect((await saidIn()).map(({ role }) => role)).toEqual(['user', 'user']);
    else await expect(saidIn()).rejects.toMatchObject({ code: 'not-found' });
  });

  it('is stopped by an interruption: what was heard is stored, and told', async () => {
    const aborted = endlessAnswer();
    await client.say(conversationId, 'Talk');
    const { responseId } = await client.nth('ai_response_chunk');
    const ack = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 500 });
    await aborted.opened;
    expect(ack).toEqual({ ok: true, message: 'One two' });
    expect(await client.nth('ai_response')).toMatchObject({
      message: 'One two',
      interrupted: true,
      responseId,
    });
    expect(client.order.slice(-2)).toEqual(['ai_response', 'typing false']);
    expect((await saidIn()).at(-1)).toMatchObject({ content: 'One two', interrupted: true });
  });

  it('stops the voice in the middle of a sentence when it is interrupted', async () => {
    world.dialogue.answer = () => sentencesOf('One.', 'Two.', 'Three.');
    const { speak } = world.synthesis;
    const cutOff = door();
    world.synthesis.speak = (request) => {
      if (request.text !== 'Two.') return speak(request);
      request.signal?.addEventListener('abort', cutOff.open);
      return new Promise(() => {});
    };
    await client.say(conversationId, 'Talk');
    const { responseId } = await client.nth('ai_response_chunk');
    const ack = await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 60_000 });
    await cutOff.opened;
    expect(ack).toEqual({ ok: true, message: 'One.' });
    expect(client.all('ai_response_chunk')).toHaveLength(1);
  });

  it('counts as answered when it was interrupted before the first word was heard', async () => {
    endlessAnswer();
    await client.say(conversationId, 'Talk', { clientMessageId: 'a' });
    const { responseId } = await client.nth('ai_response_chunk');
    await client.send<InterruptAck>('interrupt', { conversationId, responseId, heardMs: 0 });
    await client.say(conversationId, 'Talk', { clientMessageId: 'a' });
    await client.quiet(2);
    expect(world.dialogue.turns).toHaveLength(1);
    world.dialogue.answer = ({ history }) => sentencesOf(`${history.length} before`);
    await client.say(conversationId, 'Next');
    expect(await client.nth('ai_response', 3)).toMatchObject({ message: '2 before' });
  });

  it('is stopped by the signal of the one who asked for it', async () => {
    endlessAnswer();
    const heard: string[] = [];
    const listener = {
      ...world.nobody(),
      typing: (_id: string, isTyping: boolean) => heard.push(`typing ${isTyping}`),
      failed: ({ code }: { code: string }) => heard.push(code),
    };
    const controller = new AbortController();
    const turn = await world.calls.takeTurn({ scope: ownScope(user), conversationId, text: 'Hi' }, listener, {
      signal: controller.signal,
    });
    controller.abort();
    await turn.settled;
    expect(heard).toEqual(['typing true', 'unavailable', 'typing false']);
  });

  it('stores nothing when its signal was aborted beforehand', async () => {
    const signal = AbortSignal.abort(new Error('never mind'));
    const turn = world.calls.takeTurn({ scope: ownScope(user), conversationId, text: 'Hi' }, world.nobody(), {
      signal,
    });
    await expect(turn).rejects.toThrow('never mind');
    expect(await saidIn()).toEqual([]);
  });
});

describe('bounds', () => {
  afterEach(() => world.close());

  it('gives up a turn that takes too long, though the dialogue ignores its signal', async () => {
    await openWorld({ turnTimeoutMs: 50 });
    await startCall();
    world.dialogue.answer = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => {}) }) });
    await client.say(conversationId, 'Hi');
    expect(await client.nth('error')).toMatchObject({
      message: 'This answer took too long. Please try again.',
      code: 'unavailable',
      retryable: true,
    });
    await client.quiet();
  });

  it('refuses a message when too many wait, stores nothing of it, and takes it again later', async () => {
    await openWorld({ maxWaitingPerConversation: 2 });
    await startCall();
    const gate = door();
    world.dialogue.answer = async function* ({ text }) {
      await gate.opened;
      yield* sentencesOf(`Re: ${text}`);
    };
    // Too long to be answered together.
    for (const text of ['running', 'waits', 'waits too'])
      expect(await client.say(conversationId, text.padEnd(501, '.'))).toMatchObject({ ok: true });
    const refused = await client.say(conversationId, 'too much', { clientMessageId: 'a' });
    expect(refused).toMatchObject({
      ok: false,
      error: {
        code: 'rate-limited',
        retryable: true,
        message: 'Too many messages are waiting for an answer. Please wait a moment and send this one again.',
      },
    });
    gate.open();
    await client.quiet(3);
    expect((await saidIn()).some(({ content }) => content === 'too much')).toBe(false);
    expect(await client.say(conversationId, 'too much', { clientMessageId: 'a' })).toMatchObject({
      ok: true,
    });
    expect((await client.nth('ai_response', 4)).message).toBe('Re: too much');
  });

  it('answers several conversations of a user at once, up to the bound, and the others after them', async () => {
    await openWorld({ maxRunningPerUser: 2 });
    await startCall();
    const gate = door();
    let underWay = 0;
    let most = 0;
    world.dialogue.answer = async function* () {
      most = Math.max(most, ++underWay);
      await gate.opened;
      underWay--;
      yield* sentencesOf('Done.');
    };
    for (let n = 0; n < 4; n++) await client.say((await client.start()).conversationId, 'Hi');
    gate.open();
    await client.quiet(4);
    expect(most).toBe(2);
    expect(client.all('ai_response')).toHaveLength(4);
  });

  it('sends a welcome without its voice when that takes too long', async () => {
    await openWorld({ welcomeWaitMs: 5 });
    await startCall();
    world.synthesis.speak = () => new Promise(() => {});
    expect((await client.start()).welcomeMessage).not.toHaveProperty('audioData');
  });

  it('lets many who type at once read their answers, though the voice is at the first of them', async () => {
    await openWorld({ readWaitMs: 400 });
    await startCall();
    const voice = door();
    world.synthesis.speak = async ({ text }) => {
      await voice.opened;
      return soundOfText(text);
    };
    const others = await Promise.all(
      Array.from({ length: 9 }, async () => {
        const other = await world.connect(await world.addUser(), { streaming: true });
        return { other, call: await other.start({ voice: false }) };
      }),
    );
    await client.say(conversationId, 'Are you open?');
    await Promise.all(others.map(({ other, call }) => other.say(call.conversationId, 'Are you open?')));
    for (const { other } of others) {
      const message = 'You said: Are you open? Anything else?';
      expect(await other.nth('ai_response')).toMatchObject({ message, voice: 'busy' });
      expect(other.all('ai_response_chunk').some(({ audioData }) => audioData)).toBe(false);
      expect(other.all('error')).toEqual([]);
    }
    expect(client.all('ai_response')).toEqual([]);
    voice.open();
    expect(await client.nth('ai_response')).not.toHaveProperty('voice');
    expect(client.all('ai_response_chunk')[0]).toHaveProperty('audioData');
    expect(world.failures).toEqual([]);
    await world.close();
  });

  it('lets who types read the answer while many others wait for the text of theirs', async () => {
    await openWorld();
    await startCall();
    const thought = door();
    world.dialogue.answer = async function* ({ text }) {
      if (text === 'And you?') await thought.opened;
      yield* sentencesOf('Done.');
    };
    const others = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const other = await world.connect(await world.addUser(), { streaming: true });
        return { other, call: await other.start() };
      }),
    );
    await Promise.all(others.map(({ other, call }) => other.say(call.conversationId, 'And you?')));
    await client.say(conversationId, 'Are you open?');
    expect(await client.nth('ai_response')).toMatchObject({ message: 'Done.', voice: 'busy' });
    expect(client.all('ai_response_chunk').some(({ audioData }) => audioData)).toBe(false);
    thought.open();
    for (const { other } of others)
      expect(await other.nth('ai_response')).toMatchObject({ message: 'Done.' });
    await client.say(conversationId, 'And now?');
    expect(await client.nth('ai_response', 2)).not.toHaveProperty('voice');
    expect(client.all('ai_response_chunk').at(-1)).toHaveProperty('audioData');
    expect(world.failures).toEqual([]);
    await world.close();
  });

  it('speaks no further in a reply whose voice hangs', async () => {
    await openWorld({ sentenceTimeoutMs: 20 });
    await startCall();
    world.dialogue.answer = () => sentencesOf('A.', 'B.', 'C.', 'D.', 'E.');
    world.synthesis.speak = () => new Promise(() => {});
    world.synthesis.spoken.length = 0;
    await client.say(conversationId, 'Hi');
    await client.quiet();
    expect(client.all('ai_response_chunk').map(({ text }) => text)).toEqual(['A.', 'B.', 'C.', 'D.', 'E.']);
    expect(world.synthesis.spoken.length).toBeLessThan(5);
  });
});

describe('shutdown', () => {
  beforeEach(async () => {
    await openWorld();
    await startCall();
  });
  afterEach(() => world.close());

  it('lets turns under way finish, and takes nothing new', async () => {
    const gate = door();
    world.dialogue.answer = async function* () {
      await gate.opened;
      yield* sentencesOf('Made it.');
    };
    await client.say(conversationId, 'Hi');
    await client.say(conversationId, 'Waiting');
    const closed = world.calls.close(10_000);
    expect(await client.say(conversationId, 'Too late')).toMatchObject({
      ok: false,
      error: { code: 'unavailable', retryable: true },
    });
    expect(await client.send('start_conversation', { userId: user._id })).toMatchObject({ ok: false });
    gate.open();
    await closed;
    expect((await saidIn()).filter(({ content }) => content === 'Made it.')).toHaveLength(1);
    expect(world.dialogue.turns.at(-1)?.text).toBe('Hi\nWaiting');
    expect((await saidIn()).some(({ content }) => content === 'Too late')).toBe(false);
  });

  it('gives up what takes longer than it may', async () => {
    const aborted = endlessAnswer();
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.nth('ai_response_chunk');
    await world.calls.close(10);
    await aborted.opened;
    expect(await client.nth('error')).toMatchObject({
      code: 'unavailable',
      retryable: true,
      clientMessageId: 'a',
    });
    await client.quiet();
    expect((await saidIn()).map(({ content }) => content)).toEqual(['Hi']);
  });
});

describe('a database that goes away in mid-turn', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(startCall);
  afterEach(() => Reflect.deleteProperty(database.pool, 'query'));

  /** The next statement of this kind runs, and its answer is lost with the connection. */
  function loseAnswerTo(statement: RegExp, times = 1) {
    const ask = database.pool.query;
    const value = async (...asked: [{ text: string }]) => {
      const answer: unknown = await Reflect.apply(ask, database.pool, asked);
      if (times > 0 && statement.test(asked[0].text)) {
        times--;
        throw Object.assign(new Error('terminating connection'), { code: '57P01' });
      }
      return answer;
    };
    Object.defineProperty(database.pool, 'query', { value, configurable: true });
  }

  it.each([
    ['the question', /insert into messages[^;]*'user'/],
    ['its reply', /insert into messages[^;]*'assistant'/],
    ['what was said before', /^select .*"messages"/],
  ])('stores once and answers where the answer about %s was lost', async (_what, statement) => {
    world.dialogue.answer = () => sentencesOf('Made it.');
    loseAnswerTo(statement);
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    await client.quiet();
    expect(client.all('ai_response')).toHaveLength(1);
    expect(client.all('error')).toEqual([]);
    expect((await saidIn()).map(({ content }) => content)).toEqual(['Hi', 'Made it.']);
  });

  it('says so, and that trying again helps, where it stays away', async () => {
    world.dialogue.answer = () => sentencesOf('Made it.');
    loseAnswerTo(/insert into messages[^;]*'assistant'/, Number.POSITIVE_INFINITY);
    await client.say(conversationId, 'Hi', { clientMessageId: 'a' });
    expect(await client.nth('error')).toMatchObject({
      message: 'Sigma cannot reach its database. Please try again.',
      code: 'unavailable',
      retryable: true,
      clientMessageId: 'a',
    });
  });
});
