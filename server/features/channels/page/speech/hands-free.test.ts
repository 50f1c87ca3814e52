import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SpeechAck } from '#shared/realtime';
import { ownScope } from '../../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../../tests/support/call-world.ts';
import { door, sentencesOf } from '../../../../../tests/support/scripted-engines.ts';
import type { ScriptedTurnTaking } from '../../../../../tests/support/scripted-turn-taking.ts';

let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;
let microphone: ScriptedTurnTaking;

beforeAll(async () => {
  world = await openCallWorld();
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start());
  microphone = await switchOn(client, conversationId);
});

async function switchOn(of: CallClient, conversationId: string, more: Record<string, unknown> = {}) {
  const settings = { conversationId, sampleRate: 16_000, mode: 'hands-free', ...more };
  const ack = await of.send<SpeechAck>('speech_start', settings);
  if (!ack.ok) throw new Error(ack.error.message);
  const opened = world.microphones.at(-1);
  if (!opened) throw new Error('No microphone was switched on.');
  return opened;
}

const saidIn = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages
    .slice(1)
    .map(({ role, content }) => `${role}: ${content}`);

/** A dialogue whose reply waits behind a door after its first sentence. */
function answerBehind(...texts: string[]) {
  const hold = door();
  world.dialogue.answer = async function* (turn, signal) {
    yield { type: 'sentence', index: 0, text: 'One moment.', isLast: false };
    await hold.opened;
    signal.throwIfAborted();
    yield* sentencesOf(...texts, `So much about "${turn.text}".`);
  };
  return hold;
}

describe('what is said hands-free', () => {
  it('is taken as a message and answered, as if it had been sent', async () => {
    microphone.says('When are you open?');
    await client.nth('conversation_updated', 2);
    expect(client.order.slice(client.order.indexOf('speech_activity'))).toEqual([
      'speech_activity',
      'transcript',
      'transcript',
      'speech_activity',
      'message_stored',
      'typing true',
      'ai_response_chunk',
      'ai_response_chunk',
      'ai_response',
      'typing false',
      'conversation_updated',
      'conversation_updated',
    ]);
    expect(client.all('transcript')).toEqual([
      { conversationId, text: 'When are you open?', isFinal: false },
      { conversationId, text: 'When are you open?', isFinal: true },
    ]);
    const { message } = await client.nth('message_stored');
    expect(message).toMatchObject({ role: 'user', content: 'When are you open?', clientMessageId: /./ });
    expect(await client.nth('ai_response')).toMatchObject({ replyTo: message._id });
    expect(await saidIn()).toEqual([
      'user: When are you open?',
      'assistant: You said: When are you open? Anything else?',
    ]);
  });

  it('is kept as a recording of its message', async () => {
    microphone.says('Hello there');
    const { message } = await client.nth('message_stored');
    await client.quiet();
    expect(world.utterances).toEqual([{ messageId: message._id, sampleRate: 16_000, samples: 16_000 }]);
  });

  it('is followed by another tab, which hears no audio', async () => {
    const other = await world.connect(user, { streaming: true });
    await other.start({ conversationId });
    microphone.says('Hello there');
    await other.quiet();
    expect(await other.nth('message_stored')).toMatchObject({ message: { content: 'Hello there' } });
    expect(other.all('ai_response_chunk')).toEqual([]);
    expect(other.all('transcript')).toEqual([]);
  });

  it('is answered as text alone where no voice is wanted', async () => {
    microphone = await switchOn(client, conversationId, { voice: false });
    microphone.says('Hello there');
    await client.quiet();
    expect(client.all('ai_response_chunk')[0]).not.toHaveProperty('audioData');
    expect(microphone.agentSaid.slice(-2)).toEqual(['You said: Hello there Anything else?', null]);
  });

  it('clears a transcript that came to nothing', async () => {
    microphone.tells.speaking(true);
    microphone.tells.partial('Hm');
    microphone.tells.speaking(false);
    await client.nth('speech_activity', 2);
    expect(client.all('transcript')).toEqual([
      { conversationId, text: 'Hm', isFinal: false },
      { conversationId, text: '', isFinal: true },
    ]);
  });

  it('does not keep anybody from typing', async () => {
    await client.say(conversationId, 'Typed');
    await client.quiet();
    microphone.says('Spoken');
    await client.quiet(2);
    expect((await saidIn()).filter((line) => line.startsWith('user'))).toEqual([
      'user: Typed',
      'user: Spoken',
    ]);
  });

  it('comes back when it cannot be taken, to be sent again under its own id', async () => {
    const mend = world.breakStorage('addUserMessage', 'disk full at /var/lib');
    microphone.says('My order number is 1234');
    const error = await client.nth('error');
    mend();
    expect(error).toMatchObject({
      conversationId,
      code: 'internal',
      retryable: true,
      text: 'My order number is 1234',
      message: expect.not.stringContaining('disk'),
    });
    await client.say(conversationId, error.text ?? '', { clientMessageId: error.clientMessageId });
    await client.quiet();
    expect((await saidIn())[0]).toBe('user: My order number is 1234');
    microphone.says('And another thing');
    await client.quiet(2);
  });

  it('takes what is left when the microphone is switched off', async () => {
    microphone.tells.speaking(true);
    microphone.whenEnded = () => microphone.takes('One last thing');
    expect(await client.send('speech_end', { conversationId })).toEqual({ ok: true, text: '' });
    await client.quiet();
    expect((await saidIn())[0]).toBe('user: One last thing');
    expect(microphone.isClosed).toBe(true);
  });

  it('drops what is left when it is to be discarded', async () => {
    microphone.tells.speaking(true);
    microphone.whenEnded = () => microphone.takes('One last thing');
    expect(await client.send('speech_end', { conversationId, discard: true })).toEqual({
      ok: true,
      text: '',
    });
    expect(microphone.isClosed).toBe(true);
    expect(await saidIn()).toEqual([]);
  });
});

describe('speaking over the agent', () => {
  const playing = (responseId: string | null) => client.send('playback', { conversationId, responseId });

  it('tells taking turns what the agent says aloud, as far as it is made, and when it has ended', async () => {
    const hold = answerBehind('We open at nine.');
    microphone.says('Hello there');
    const { responseId } = await client.nth('ai_response_chunk');
    await playing(responseId);
    hold.open();
    await client.quiet();
    await playing(null);
    expect(microphone.agentSaid).toEqual([
      'One moment.',
      'One moment. We open at nine.',
      'One moment. We open at nine. So much about "Hello there".',
      null,
    ]);
  });

  it('knows the words of a reply that was made before the microphone was on, and of a welcome', async () => {
    await client.say(conversationId, 'Typed');
    await client.quiet();
    const { responseId } = await client.nth('ai_response');
    microphone = await switchOn(client, conversationId);
    await playing(responseId);
    await expect.poll(() => microphone.agentSaid.at(-1)).toBe('You said: Typed Anything else?');
    const { welcomeMessage } = await client.nth('conversation_started');
    await playing(welcomeMessage?._id ?? '');
    await expect.poll(() => microphone.agentSaid.at(-1)).toBe('Hello, this is Sigma of Northwind Test.');
  });

  it('holds the voice, and lets it go on after a false alarm', async () => {
    microphone.tells.hold();
    microphone.tells.release();
    await client.nth('barge_in', 2);
    expect(client.all('barge_in')).toEqual([
      { conversationId, phase: 'hold' },
      { conversationId, phase: 'release' },
    ]);
  });

  it('stops generation and voice at once, and cuts the reply to what the client says was heard', async () => {
    answerBehind('Never said.');
    microphone.says('Hello there');
    const { responseId } = await client.nth('ai_response_chunk');
    await playing(responseId);
    microphone.tells.hold();
    microphone.tells.interrupt();
    await client.nth('barge_in', 2);
    await client.send('interrupt', { conversationId, responseId, heardMs: 500 });
    expect(await client.nth('ai_response')).toMatchObject({ interrupted: true, message: 'One' });
    await client.quiet();
    expect(world.synthesis.spoken).not.toContain('Never said.');
    world.dialogue.answer = ({ text }) => sentencesOf(`Re: ${text}`);
    microphone.says('Something else');
    await client.quiet(2);
    expect(world.dialogue.turns.at(-1)?.history.slice(-2)).toEqual([
      { role: 'user', content: 'Hello there' },
      { role: 'assistant', content: 'One' },
    ]);
  });

  it('cuts the reply to what it knows of, when the client never says what was heard', async () => {
    answerBehind('Never said.');
    microphone.says('Hello there');
    const { responseId } = await client.nth('ai_response_chunk');
    await playing(responseId);
    microphone.tells.hold();
    microphone.tells.interrupt();
    expect(await client.nth('ai_response')).toMatchObject({ interrupted: true });
    await client.quiet();
    const [, reply] = (await world.conversations.get(ownScope(user), conversationId)).messages.slice(1);
    expect('One moment.').toContain(reply?.content ?? '');
  });

  it('lets a welcome be spoken over, which stays as it was', async () => {
    const { welcomeMessage } = await client.nth('conversation_started');
    await playing(welcomeMessage?._id ?? '');
    microphone.tells.hold();
    microphone.tells.interrupt();
    await client.nth('barge_in', 2);
    microphone.says('Hello there');
    await client.quiet();
    expect(client.all('error')).toEqual([]);
    const { messages } = await world.conversations.get(ownScope(user), conversationId);
    expect(messages[0]?.content).toBe('Hello, this is Sigma of Northwind Test.');
  });

  it('calls off a reply that was not heard yet, and answers both utterances as one', async () => {
    const hold = answerBehind('Never said.');
    microphone.says('I have a question');
    await client.nth('ai_response_chunk');
    microphone.tells.speaking(true);
    microphone.tells.hold();
    microphone.tells.interrupt();
    microphone.tells.partial('about my order');
    world.dialogue.answer = ({ text }) => sentencesOf(`Re: ${text}`);
    microphone.takes('about my order', { continues: true });
    await client.quiet(2);
    hold.open();
    expect(client.all('barge_in').map(({ phase }) => phase)).toEqual(['hold', 'interrupt']);
    expect(world.dialogue.turns.at(-1)?.text).toBe('I have a question about my order');
    expect(client.all('ai_response').map(({ message }) => message)).toEqual([
      '',
      'Re: I have a question about my order',
    ]);
    expect(await saidIn()).toEqual([
      'user: I have a question',
      'user: about my order',
      'assistant: ',
      'assistant: Re: I have a question about my order',
    ]);
  });
});

describe('a stream that ends', () => {
  it.each(['ended', 'deleted'])('with its conversation, which is %s', async (what) => {
    if (what === 'ended') await world.conversations.end(ownScope(user), conversationId);
    else await world.conversations.delete(ownScope(user), conversationId);
    const ended = await client.nth('speech_ended');
    expect(ended).toMatchObject({
      conversationId,
      message:
        what === 'ended'
          ? 'This conversation has ended. Start a new call to go on.'
          : 'This conversation does not exist.',
      code: what === 'ended' ? 'conversation-ended' : 'not-found',
      retryable: false,
    });
    expect(microphone.isClosed).toBe(true);
    expect(await client.send('speech_audio', Buffer.alloc(640))).toMatchObject({ ok: false });
    expect(client.all('error')).toEqual([]);
  });

  it('when the same conversation is spoken with in another tab', async () => {
    const other = await world.connect(user);
    const second = await switchOn(other, conversationId);
    expect(await client.nth('speech_ended')).toMatchObject({
      message: 'You are speaking in another tab now.',
    });
    expect([microphone.isClosed, second.isClosed]).toEqual([true, false]);
  });

  it('when the client begins another one', async () => {
    const second = await switchOn(client, conversationId);
    expect([microphone.isClosed, second.isClosed]).toEqual([true, false]);
    expect(client.all('speech_ended')).toEqual([]);
  });

  it('when its ears fail for good, and says why once', async () => {
    microphone.tells.failed('The ears stopped and start again.', false);
    microphone.tells.failed('The ears stopped and start again.', false);
    microphone.tells.failed('The ears do not work on this machine.', true);
    expect(await client.nth('speech_ended')).toMatchObject({
      message: 'The ears do not work on this machine.',
      code: 'unavailable',
      retryable: true,
    });
    expect(client.all('error').map(({ message }) => message)).toEqual(['The ears stopped and start again.']);
  });

  it('keeps what somebody who vanishes had finished saying, and drops what they were saying', async () => {
    microphone.tells.speaking(true);
    microphone.tells.candidate('Please cancel my order');
    client.socket.disconnect();
    await world.serverSawLeaving(client);
    await expect
      .poll(saidIn)
      .toEqual([
        'user: Please cancel my order',
        'assistant: You said: Please cancel my order Anything else?',
      ]);
    expect(microphone.isClosed).toBe(true);

    client = await world.connect(user);
    microphone = await switchOn(client, conversationId);
    microphone.tells.speaking(true);
    microphone.tells.candidate('No wait');
    microphone.tells.partial('No wait I mean');
    client.socket.disconnect();
    await world.serverSawLeaving(client);
    await expect.poll(() => microphone.isClosed).toBe(true);
    await world.calls.idle();
    expect(await saidIn()).toHaveLength(2);
  });
});
