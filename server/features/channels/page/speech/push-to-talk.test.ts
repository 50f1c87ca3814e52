import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { SpeechAck } from '#shared/realtime';
import { ownScope } from '../../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../../tests/support/call-world.ts';
import { door } from '../../../../../tests/support/scripted-engines.ts';
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
  client = await world.connect(user);
  ({ conversationId } = await client.start());
  const ack = await client.send<SpeechAck>('speech_start', { conversationId, sampleRate: 48_000 });
  expect(ack).toEqual({ ok: true });
  const opened = world.microphones.at(-1);
  if (!opened) throw new Error('No microphone was switched on.');
  microphone = opened;
});

const messages = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages.slice(1);
const switchOff = (more: Record<string, unknown> = {}) =>
  client.send<SpeechAck>('speech_end', { conversationId, ...more });

describe('push to talk', () => {
  it('shows what it understands, answers the whole, and leaves the sending to the client', async () => {
    microphone.tells.speaking(true);
    microphone.tells.partial('When are');
    microphone.whenEnded = () => microphone.takes('When are you open?');
    expect(await switchOff()).toEqual({ ok: true, text: 'When are you open?' });
    expect(client.all('transcript')).toEqual([
      { conversationId, text: 'When are', isFinal: false },
      { conversationId, text: 'When are you open?', isFinal: true },
    ]);
    expect(microphone.isClosed).toBe(true);
    expect(await messages()).toEqual([]);
    expect(world.utterances).toEqual([]);
  });

  it('answers nothing where nothing was understood', async () => {
    expect(await switchOff()).toEqual({ ok: true, text: '' });
    expect(client.all('transcript')).toEqual([{ conversationId, text: '', isFinal: true }]);
  });

  it('thinks ahead of the message that will follow', async () => {
    microphone.whenEnded = () => microphone.takes('When are you open?');
    await switchOff();
    await expect.poll(() => world.synthesis.spoken).toContain('You said: When are you open?');
    await client.say(conversationId, 'When are you open?');
    await client.quiet();
    expect(world.dialogue.turns).toHaveLength(1);
  });

  it('forgets what is to be discarded', async () => {
    microphone.whenEnded = () => microphone.takes('Secret');
    expect(await switchOff({ discard: true })).toEqual({ ok: true, text: '' });
    expect(client.all('transcript')).toEqual([]);
    expect(microphone.isClosed).toBe(true);
  });

  it('says that it could not be recognised, once', async () => {
    microphone.whenEnded = () => microphone.tells.failed('The ears stopped. Please say it again.', false);
    expect(await switchOff()).toMatchObject({ ok: false, error: { code: 'unavailable', retryable: true } });
    expect(client.all('error').map(({ message }) => message)).toEqual([
      'The ears stopped. Please say it again.',
    ]);
  });

  it('ends with what was understood when it has become too long', async () => {
    microphone.takes('The first two hours.');
    microphone.tells.failed('You can speak for 10 minutes at a time.', true);
    expect(await client.nth('speech_ended')).toMatchObject({
      conversationId,
      message: 'You can speak for 10 minutes at a time.',
      code: 'unavailable',
      retryable: true,
      text: 'The first two hours.',
    });
    expect(await switchOff()).toEqual({ ok: true, text: '' });
    expect(client.all('error')).toEqual([]);
  });

  it('drops what somebody who vanishes was saying', async () => {
    microphone.tells.speaking(true);
    microphone.tells.partial('When are');
    client.socket.disconnect();
    await world.serverSawLeaving(client);
    await expect.poll(() => microphone.isClosed).toBe(true);
    await world.calls.idle();
    expect(await messages()).toEqual([]);
  });

  it('is still understood when the microphone is switched on again at once', async () => {
    const understood = door();
    microphone.whenEnded = async () => {
      await understood.opened;
      microphone.takes('First');
    };
    const first = switchOff();
    expect(await client.send('speech_start', { conversationId, sampleRate: 48_000 })).toEqual({ ok: true });
    understood.open();
    expect(await first).toEqual({ ok: true, text: 'First' });
    expect(await client.send('speech_audio', Buffer.alloc(640))).toEqual({ ok: true });
  });

  it('is switched off once', async () => {
    microphone.whenEnded = () => microphone.takes('Hello');
    const [first, second] = await Promise.all([switchOff(), switchOff()]);
    expect([first, second]).toEqual([
      { ok: true, text: 'Hello' },
      { ok: true, text: '' },
    ]);
    expect(client.all('transcript')).toHaveLength(1);
  });
});
