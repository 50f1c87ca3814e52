import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
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
import { openTestDatabase, type TestDatabase } from '../../../../../tests/support/test-database.ts';

let database: TestDatabase;
let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  world = await openCallWorld({ database });
  user = await world.addUser();
  client = await world.connect(user, { streaming: true });
  ({ conversationId } = await client.start());
});
afterEach(() => world.close());

async function switchOn(mode: ScriptedTurnTaking['mode']): Promise<ScriptedTurnTaking> {
  await client.send<SpeechAck>('speech_start', { conversationId, sampleRate: 16_000, mode });
  const opened = world.microphones.at(-1);
  if (!opened) throw new Error('No microphone was switched on.');
  return opened;
}
const saidIn = async () =>
  (await world.conversations.get(ownScope(user), conversationId)).messages
    .slice(1)
    .map(({ content }) => content);
/** After this time, the event gets no answer here. */
const answerTo = (event: string, payload: unknown) =>
  client.socket
    .timeout(300)
    .emitWithAck(event, payload)
    .catch(() => 'none');

it('leaves what is being said to where the call goes on', async () => {
  const microphone = await switchOn('hands-free');
  microphone.tells.speaking(true);
  microphone.tells.partial('When are');
  await world.speech.close();
  expect(microphone.isClosed).toBe(true);
  expect(await answerTo('speech_audio', Buffer.alloc(640))).toBe('none');
  expect(await answerTo('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free' })).toBe(
    'none',
  );
  expect(await answerTo('speech_end', { conversationId })).toBe('none');
  expect(client.all('speech_ended')).toEqual([]);
  expect(client.all('error')).toEqual([]);
  expect(await saidIn()).toEqual([]);
});

it('takes what was said and only waited for more, and answers it', async () => {
  const microphone = await switchOn('hands-free');
  microphone.tells.speaking(true);
  microphone.tells.partial('When are you open?');
  microphone.tells.candidate('When are you open?');
  await world.speech.close();
  expect(await saidIn()).toContain('When are you open?');
  await client.nth('ai_response');
  expect(client.all('message_stored')).toHaveLength(1);
  expect(client.all('speech_ended')).toEqual([]);
});

it('hears a push to talk that has ended to its end', async () => {
  const understood = door();
  const microphone = await switchOn('push-to-talk');
  microphone.whenEnded = async () => {
    await understood.opened;
    microphone.takes('When are you open?');
  };
  const ended = client.send<SpeechAck>('speech_end', { conversationId });
  await client.send('playback', { conversationId, responseId: null });
  const closed = world.speech.close();
  understood.open();
  await closed;
  expect(await ended).toEqual({ ok: true, text: 'When are you open?' });
});
