import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReplyEvent } from '#server/dialogue/contract';
import type { SpeechAck } from '#shared/realtime';
import { ownScope } from '../../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../../tests/support/call-world.ts';

const silence = { silenceMs: 1_000_000, waitedForMs: 1_000_000, farewellMs: 1_000_000 };
let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;

beforeAll(async () => {
  world = await openCallWorld({ speech: { limits: { silence } } });
});
afterAll(() => world.close());
beforeEach(async () => {
  world.reset();
  Object.assign(silence, { silenceMs: 1_000_000, waitedForMs: 1_000_000, farewellMs: 1_000_000 });
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start());
});

async function switchOn(more: Record<string, unknown> = {}) {
  const settings = { conversationId, sampleRate: 16_000, mode: 'hands-free', ...more };
  const ack = await client.send<SpeechAck>('speech_start', settings);
  if (!ack.ok) throw new Error(ack.error.message);
  const opened = world.microphones.at(-1);
  if (!opened) throw new Error('No microphone was switched on.');
  return opened;
}

const playback = (responseId: string | null) =>
  client.send<SpeechAck>('playback', { conversationId, responseId });

const saidIn = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages
    .slice(1)
    .map(({ role, content }) => `${role}: ${content}`);

/** A dialogue whose reply expects this next. */
const leavingTo = (leavesTo: 'wait' | 'end', text: string) =>
  async function* (): AsyncGenerator<ReplyEvent> {
    if (text) yield { type: 'sentence', index: 0, text, isLast: true };
    yield { type: 'reply', text, citations: [], outcome: 'social', leavesTo };
  };

describe('into a silence', () => {
  it('the agent asks whether the customer is still there, aloud, and it is kept', async () => {
    silence.silenceMs = 5;
    const other = await world.connect(user, { streaming: true });
    await other.start({ conversationId });
    await switchOn();
    const chunk = await client.nth('ai_response_chunk');
    expect(chunk).toMatchObject({ text: 'Are you still there?', isLast: true, audioData: /./ });
    expect(await client.nth('ai_response')).toMatchObject({
      responseId: chunk.responseId,
      message: 'Are you still there?',
    });
    expect(await other.nth('ai_response')).toMatchObject({ message: 'Are you still there?' });
    await playback(chunk.responseId);
    await playback(null);
    expect(await saidIn()).toEqual(['assistant: Are you still there?']);
  });

  it('what the customer says next is answered, with the question in mind', async () => {
    silence.silenceMs = 5;
    const microphone = await switchOn();
    await client.nth('ai_response');
    silence.silenceMs = 1_000_000;
    microphone.says('Yes, I am.');
    await client.quiet();
    expect(world.dialogue.turns.at(-1)?.history.at(-1)).toEqual({
      role: 'assistant',
      content: 'Are you still there?',
    });
    expect(await saidIn()).toEqual([
      'assistant: Are you still there?',
      'user: Yes, I am.',
      'assistant: You said: Yes, I am. Anything else?',
    ]);
  });

  it('nobody asks where what was typed is being answered', async () => {
    silence.silenceMs = 5;
    let go = () => {};
    const hold = new Promise<void>((resolve) => {
      go = resolve;
    });
    world.dialogue.answer = async function* () {
      await hold;
      yield* leavingTo('end', 'Here it is.')();
    };
    await client.say(conversationId, 'A long question');
    const asked = world.calls.askWhetherThere(
      { scope: ownScope(user), conversationId, voice: true, isQuiet: () => true },
      world.nobody(),
    );
    expect(await asked).toBe(false);
    go();
    await client.quiet();
  });

  it('a question that is talked over is cut like any reply', async () => {
    silence.silenceMs = 5;
    const microphone = await switchOn();
    const { responseId } = await client.nth('ai_response');
    silence.silenceMs = 1_000_000;
    await playback(responseId);
    microphone.tells.hold();
    microphone.tells.interrupt();
    await client.send('interrupt', { conversationId, responseId, heardMs: 500 });
    expect(await saidIn()).toEqual(['assistant: Are you']);
  });
});

describe('who asks for a moment', () => {
  it('hears nothing, and is asked later whether they are still there', async () => {
    const microphone = await switchOn();
    silence.waitedForMs = 5;
    world.dialogue.answer = leavingTo('wait', '');
    microphone.says('Hold on a second.');
    await client.nth('ai_response', 2);
    expect(client.all('ai_response').map(({ message }) => message)).toEqual(['', 'Are you still there?']);
    expect(client.all('ai_response_chunk').map(({ text }) => text)).toEqual(['Are you still there?']);
    expect(world.dialogue.turns.at(-1)?.channel).toBe('voice');
  });
});

describe('after a goodbye from both', () => {
  it('the call ends by itself once the farewell was heard', async () => {
    silence.farewellMs = 5;
    const microphone = await switchOn();
    world.dialogue.answer = leavingTo('end', 'Goodbye!');
    microphone.says('Thanks, bye.');
    const { responseId } = await client.nth('ai_response');
    await playback(responseId);
    expect(client.all('speech_ended')).toEqual([]);
    await playback(null);
    expect(await client.nth('speech_ended')).toMatchObject({ conversationId, code: 'conversation-ended' });
    const { metadata } = await world.conversations.get(ownScope(user), conversationId);
    expect(metadata.ended).toBeDefined();
    expect(await saidIn()).toEqual(['user: Thanks, bye.', 'assistant: Goodbye!']);
  });

  it('the call goes on where the customer speaks again', async () => {
    const microphone = await switchOn();
    world.dialogue.answer = leavingTo('end', 'Goodbye!');
    microphone.says('Thanks, bye.');
    const { responseId } = await client.nth('ai_response');
    await playback(responseId);
    await playback(null);
    Object.assign(world.dialogue, { answer: leavingTo('wait', 'Sure.') });
    silence.farewellMs = 1;
    microphone.says('Oh, one more thing.');
    await client.quiet(2);
    await playback((await client.nth('ai_response', 2)).responseId);
    await playback(null);
    const { metadata } = await world.conversations.get(ownScope(user), conversationId);
    expect(metadata.ended).toBeUndefined();
  });
});
