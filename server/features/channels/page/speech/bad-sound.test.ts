import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { createTurnJudgement } from '#server/engines/turn-judgement/index';
import { listen } from '#server/listening/listen';
import type { SpeechAck } from '#shared/realtime';
import type { EngineStatus } from '#shared/status';
import { ownScope } from '../../../../../tests/factories.ts';
import {
  type CallClient,
  type CallWorld,
  openCallWorld,
  type TestUser,
} from '../../../../../tests/support/call-world.ts';
import { patientLimits } from '../../../../../tests/support/patient-limits.ts';
import { openTestDatabase, type TestDatabase } from '../../../../../tests/support/test-database.ts';

/** Half a second of sound at 16 kHz. */
const HALF_A_SECOND = Buffer.alloc(16_000, 1);

let database: TestDatabase;
let world: CallWorld;
let user: TestUser;
let client: CallClient;
let conversationId: string;
let ears: EngineStatus;
/** The service's own clock. */
let nowMs: number;

beforeAll(async () => {
  database = await openTestDatabase();
  world = await openCallWorld({ database, speech: { now: () => nowMs } });
  world.recognition.status = () => ears;
});
afterAll(async () => {
  await world.close();
  await database.close();
});
beforeEach(async () => {
  world.reset();
  nowMs = 0;
  ears = { state: 'ready', message: 'The ears are ready.' };
  user = await world.addUser();
  client = await world.connect(user);
  ({ conversationId } = await client.start());
});

const switchOn = (more: Record<string, unknown> = {}, of = client) =>
  of.send<SpeechAck>('speech_start', { conversationId, sampleRate: 16_000, mode: 'hands-free', ...more });
const send = (payload: unknown) => client.send<SpeechAck>('speech_audio', payload);
const microphone = () => {
  const newest = world.microphones.at(-1);
  if (!newest) throw new Error('No microphone is on.');
  return newest;
};

/** Checks that the stream and the conversation still work. */
async function expectUnharmed() {
  const before = microphone().samples;
  expect(await send(HALF_A_SECOND)).toEqual({ ok: true });
  expect(microphone().samples).toBe(before + 8000);
  const turns = client.order.filter((name) => name === 'typing false').length;
  microphone().says('Still there?');
  await client.quiet(turns + 1);
}

describe('switching a microphone on', () => {
  it.each([
    [{ sampleRate: 7_999 }],
    [{ sampleRate: 96_001 }],
    [{ sampleRate: 0 }],
    [{ sampleRate: -16_000 }],
    [{ sampleRate: 44_100.5 }],
    [{ sampleRate: Number.NaN }],
    [{ sampleRate: '16000' }],
    [{ mode: 'always' }],
    [{ voice: 'yes' }],
    [{ conversationId: '' }],
  ])('is refused with %j', async (wrong) => {
    expect(await switchOn(wrong)).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    expect(client.all('error')).toHaveLength(1);
    expect(world.microphones).toEqual([]);
  });

  it('names the rates that are possible', async () => {
    await switchOn({ sampleRate: 4_000 });
    expect(await client.nth('error')).toMatchObject({
      message: 'Send sound with a sample rate from 8,000 to 96,000 Hz.',
    });
  });

  it('is refused for somebody else’s conversation, for none, and for one that has ended', async () => {
    const other = await world.addUser();
    const theirs = await (await world.connect(other)).start();
    for (const id of [theirs.conversationId, 'none', crypto.randomUUID()])
      expect(await switchOn({ conversationId: id })).toMatchObject({ error: { code: 'not-found' } });
    await world.conversations.end(ownScope(user), conversationId);
    expect(await switchOn()).toMatchObject({ error: { code: 'conversation-ended' } });
    expect(world.microphones).toEqual([]);
  });

  it('is refused in words while answers would be late, and writing or one message is not', async () => {
    const wait = vi.spyOn(world.calls, 'voiceWaitMs', 'get').mockReturnValue(3_000);
    expect(await switchOn({ mode: 'hands-free' })).toMatchObject({
      ok: false,
      error: {
        code: 'unavailable',
        retryable: true,
        message: 'Too many people are speaking at the moment. You can type meanwhile.',
      },
    });
    expect(world.microphones).toEqual([]);
    expect(await switchOn({ mode: 'push-to-talk' })).toEqual({ ok: true });
    wait.mockReturnValue(0);
    expect(await switchOn({ mode: 'hands-free' })).toEqual({ ok: true });
    wait.mockRestore();
  });

  it('is refused in words while nobody would be understood in time; who speaks already goes on', async () => {
    expect(await switchOn({ mode: 'hands-free' })).toEqual({ ok: true });
    const tab = await world.connect(user);
    const another = { conversationId: (await tab.start()).conversationId };
    world.earsWait.ms = 3_001;
    for (const mode of ['hands-free', 'push-to-talk'])
      expect(await switchOn({ ...another, mode }, tab)).toMatchObject({
        error: {
          code: 'unavailable',
          message: 'Too many people are speaking at the moment. You can type meanwhile.',
        },
      });
    expect(world.microphones).toHaveLength(1);
    expect(await send(HALF_A_SECOND)).toEqual({ ok: true });
    world.earsWait.ms = 3_000;
    expect(await switchOn({ ...another, mode: 'hands-free' }, tab)).toEqual({ ok: true });
    world.earsWait.ms = 0;
  });

  it.each([
    [
      { state: 'fetching', progress: 0.439, message: 'Fetching.' } as const,
      'The ears are still being fetched (43 %). You can type meanwhile.',
    ],
    [
      { state: 'loading', message: 'Loading.' } as const,
      'The ears are still being loaded. You can type meanwhile.',
    ],
    [{ state: 'failed', message: 'The ears cannot run here.' } as const, 'The ears cannot run here.'],
  ])('says what it waits for while there are no ears: %j', async (status, sentence) => {
    ears = status;
    expect(await switchOn()).toMatchObject({ error: { message: sentence, code: 'unavailable' } });
    ears = { state: 'ready', message: 'The ears are ready.' };
    expect(await switchOn()).toEqual({ ok: true });
  });

  it('takes the sound that came while it was being switched on', async () => {
    client.emit('speech_start', { conversationId, sampleRate: 16_000 });
    const acks = await Promise.all([
      send({ index: 0, audio: HALF_A_SECOND }),
      send({ index: 1, audio: HALF_A_SECOND }),
    ]);
    expect(acks).toEqual([{ ok: true }, { ok: true }]);
    await expect.poll(() => world.microphones.at(-1)?.samples).toBe(16_000);
  });

  it('lets one account speak in three conversations at once, not in five', async () => {
    const tabs = await Promise.all(Array.from({ length: 5 }, () => world.connect(user)));
    const acks: SpeechAck[] = [];
    for (const tab of tabs) {
      const call = await tab.start();
      acks.push(await switchOn({ conversationId: call.conversationId }, tab));
    }
    expect(acks.map(({ ok }) => ok)).toEqual([true, true, true, false, false]);
    expect(await tabs[4]?.nth('error')).toMatchObject({
      code: 'conflict',
      message: 'You are already speaking in other tabs. Switch a microphone off there first.',
    });
    for (const tab of tabs) tab.socket.disconnect();
    for (const tab of tabs) await world.serverSawLeaving(tab);
    expect(await switchOn()).toEqual({ ok: true });
  });

  it('lets only so many people speak at once', async () => {
    const small = await openCallWorld({ database, speech: { limits: { streams: 1 } } });
    const [first, second] = [await small.addUser(), await small.addUser()];
    const answers: SpeechAck[] = [];
    for (const person of [first, second]) {
      const tab = await small.connect(person);
      const call = await tab.start();
      answers.push(await switchOn({ conversationId: call.conversationId }, tab));
    }
    expect(answers).toMatchObject([
      { ok: true },
      { ok: false, error: { code: 'unavailable', retryable: true } },
    ]);
    await small.close();
  });
});

describe('sound that cannot be taken', () => {
  beforeEach(async () => {
    expect(await switchOn()).toEqual({ ok: true });
  });

  it.each([
    ['text', 'hello', 'invalid-input'],
    ['nothing', undefined, 'invalid-input'],
    ['numbers', [1, 2, 3], 'invalid-input'],
    ['an object', { audio: 'x' }, 'invalid-input'],
    ['no samples', Buffer.alloc(0), 'invalid-input'],
    ['half a sample', Buffer.alloc(641), 'invalid-input'],
    ['too much at once', Buffer.alloc(192_002), 'payload-too-large'],
    ['a wrong place', { index: -1, audio: HALF_A_SECOND }, 'invalid-input'],
    ['a place that is no number', { index: '0', audio: HALF_A_SECOND }, 'invalid-input'],
    ['numbered text', { index: 0, audio: 'hello' }, 'invalid-input'],
  ])('is refused, and the stream goes on: %s', async (_what, payload, code) => {
    const ack = await send(payload);
    expect(ack).toMatchObject({ ok: false, error: { code } });
    expect(client.all('error')).toEqual([ack.ok ? null : ack.error]);
    await expectUnharmed();
  });

  it('is complained about once, however much of it comes', async () => {
    for (let n = 0; n < 20; n++) expect(await send(Buffer.alloc(3))).toMatchObject({ ok: false });
    expect(client.all('error')).toHaveLength(1);
    await expectUnharmed();
  });

  it('comes too fast: what is more than half a minute ahead is refused until time has passed', async () => {
    for (let n = 0; n < 60; n++) expect(await send({ index: n, audio: HALF_A_SECOND })).toEqual({ ok: true });
    expect(await send({ index: 60, audio: HALF_A_SECOND })).toMatchObject({
      ok: false,
      error: { code: 'rate-limited', retryable: true },
    });
    expect(microphone().samples).toBe(60 * 8000);
    nowMs += 500;
    expect(await send({ index: 60, audio: HALF_A_SECOND })).toEqual({ ok: true });
    nowMs += 60_000;
    await expectUnharmed();
  });

  it('is more than the ears can follow: it waits with the client until they have caught up', async () => {
    expect(await send({ index: 0, audio: HALF_A_SECOND })).toEqual({ ok: true });
    microphone().waitingMs = 24_000;
    expect(await send({ index: 1, audio: HALF_A_SECOND })).toMatchObject({
      ok: false,
      error: { code: 'rate-limited', retryable: true },
    });
    microphone().waitingMs = 10_000;
    expect(await send({ index: 1, audio: HALF_A_SECOND })).toEqual({ ok: true });
    await expectUnharmed();
  });

  it('may be sent at ten times its pace after it was recorded', async () => {
    expect(await switchOn({ mode: 'push-to-talk' })).toEqual({ ok: true });
    for (let n = 0; n < 60; n++) await send(HALF_A_SECOND);
    expect(await send(HALF_A_SECOND)).toMatchObject({ ok: false });
    nowMs += 50;
    expect(await send(HALF_A_SECOND)).toEqual({ ok: true });
  });

  it('was sent before: it is not heard twice', async () => {
    for (const index of [0, 1, 1, 0])
      expect(await send({ index, audio: HALF_A_SECOND })).toEqual({ ok: true });
    expect(microphone().samples).toBe(16_000);
  });

  it('comes out of order: the stream ends with what was heard, and says so once', async () => {
    microphone().whenEnded = () => microphone().takes('What was heard');
    expect(await send({ index: 0, audio: HALF_A_SECOND })).toEqual({ ok: true });
    for (const index of [2, 1, 3])
      expect(await send({ index, audio: HALF_A_SECOND })).toMatchObject({
        ok: false,
        error: { code: 'conflict' },
      });
    await client.quiet();
    expect(client.all('speech_ended')).toMatchObject([
      {
        conversationId,
        message: 'Some of the sound was lost on its way. Please say it again.',
        code: 'conflict',
        retryable: false,
      },
    ]);
    expect(client.all('error')).toEqual([]);
    const { messages } = await world.conversations.get(ownScope(user), conversationId);
    expect(messages.map(({ content }) => content)).toContain('What was heard');
    expect(await switchOn()).toEqual({ ok: true });
    await expectUnharmed();
  });

  it('comes although no microphone is on', async () => {
    const other = await world.connect(user);
    for (let n = 0; n < 3; n++)
      expect(await other.send('speech_audio', HALF_A_SECOND)).toMatchObject({
        ok: false,
        error: { message: 'Your microphone is not on. Switch it on first.' },
      });
    expect(other.all('error')).toHaveLength(1);
    expect(await other.send('speech_end', { conversationId })).toMatchObject({ ok: false });
    expect(await other.send('playback', { conversationId, responseId: null })).toEqual({ ok: true });
  });
});

describe('sound without end', () => {
  /** Six seconds at 16 kHz. */
  const SILENCE = Buffer.alloc(192_000);
  const SPEECH = Buffer.alloc(192_000, 40);
  let listening: CallWorld;
  let person: TestUser;
  let tab: CallClient;
  let call: string;

  beforeEach(async () => {
    listening = await openCallWorld({
      database,
      speech: { now: () => nowMs, listen: (options) => listen(options, createTurnJudgement()) },
    });
    person = await listening.addUser();
    tab = await listening.connect(person);
    call = (await tab.start()).conversationId;
    return () => listening.close();
  });

  /** Sends sound in real time until a piece is refused. @returns the seconds accepted */
  async function pour(sound: Buffer, seconds: number): Promise<number> {
    for (let at = 0; at < seconds; at += 6) {
      nowMs += 6_000;
      const ack = await tab.send<SpeechAck>('speech_audio', { index: at / 6, audio: sound });
      if (!ack.ok) return at;
    }
    return seconds;
  }

  it('is silence: ten minutes of it are no trouble, and then somebody speaks', async () => {
    listening.recognition.script = ['Is anybody there?'];
    const settings = { conversationId: call, sampleRate: 16_000, mode: 'hands-free' };
    expect(await tab.send('speech_start', settings)).toEqual({ ok: true });
    expect(await pour(SILENCE, 600)).toBe(600);
    expect(listening.recognition.requests).toEqual([]);
    expect(tab.order).toEqual(['conversation_started']);
    expect(await tab.send('speech_audio', { index: 100, audio: SPEECH.subarray(0, 32_000) })).toEqual({
      ok: true,
    });
    await tab.send('speech_audio', { index: 101, audio: SILENCE.subarray(0, 96_000) });
    await tab.quiet();
    expect(await tab.nth('message_stored')).toMatchObject({ message: { content: 'Is anybody there?' } });
    expect(listening.utterances).toHaveLength(1);
  });

  it('is a push to talk of two hours: it ends once, with what was understood until then', async () => {
    listening.recognition.otherwise = 'on and on';
    const settings = { conversationId: call, sampleRate: 16_000 };
    expect(await tab.send('speech_start', settings)).toEqual({ ok: true });
    const taken = await pour(SPEECH, 7_200);
    expect(taken).toBeLessThan(1_200);
    const ended = await tab.nth('speech_ended');
    expect(ended).toMatchObject({ code: 'unavailable', text: expect.stringContaining('on and on') });
    expect(tab.all('speech_ended')).toHaveLength(1);
    expect(tab.all('error')).toEqual([]);
    await tab.say(call, ended.text?.slice(0, 100) ?? '');
    await tab.quiet();
  });

  it('ends with the session that it belongs to', async () => {
    const settings = { conversationId: call, sampleRate: 16_000, mode: 'hands-free' };
    expect(await tab.send('speech_start', settings)).toEqual({ ok: true });
    await tab.send('speech_audio', { index: 0, audio: SPEECH });
    const gone = new Promise((resolve) => tab.socket.once('disconnect', resolve));
    listening.realtime.disconnectSession(`session of ${person.token}`);
    await gone;
    await listening.serverSawLeaving(tab);
    await listening.calls.idle();
    const { messages } = await listening.conversations.get(ownScope(person), call);
    expect(messages).toHaveLength(1);
  });
});

it.each([
  [undefined],
  ['x'],
  [{}],
  [{ conversationId: 'x' }],
  [{ conversationId: 'x', responseId: 7 }],
  [{ conversationId: {}, responseId: null }],
  [{ conversationId: 'x', responseId: 'x'.repeat(1000) }],
])('refuses to be told that the loudspeaker plays %j', async (payload) => {
  expect(await client.send('playback', payload)).toMatchObject({
    ok: false,
    error: { code: 'invalid-input' },
  });
});

describe('rate limits', () => {
  it('let sound through at the pace it is spoken, and cut off a flood of it', async () => {
    const rateLimit = patientLimits(1 / 5);
    const strict = await openCallWorld({ database, rateLimit, speech: { now: () => nowMs } });
    const person = await strict.addUser();
    const tab = await strict.connect(person);
    const call = await tab.start();
    const settings = { conversationId: call.conversationId, sampleRate: 48_000, mode: 'hands-free' };
    expect(await tab.send('speech_start', settings)).toEqual({ ok: true });
    // Ten seconds at 50 pieces a second, 20 ms each, some at a time: far more events than anything else may send.
    const atOnce = 10;
    for (let first = 0; first < 500; first += atOnce) {
      nowMs += 20 * atOnce;
      const pieces = Array.from({ length: atOnce }, (_, n) => ({
        index: first + n,
        audio: Buffer.alloc(1920),
      }));
      const taken = await Promise.all(pieces.map((piece) => tab.send('speech_audio', piece)));
      expect(taken).toEqual(pieces.map(() => ({ ok: true })));
    }
    expect(tab.all('error')).toEqual([]);
    const cutOff = new Promise((resolve) => tab.socket.once('disconnect', resolve));
    for (let n = 0; n < 200; n++) tab.emit('speech_audio', Buffer.alloc(180_000));
    await cutOff;
    await expect.poll(() => strict.microphones.at(-1)?.isClosed).toBe(true);
    await strict.close();
  });
});
