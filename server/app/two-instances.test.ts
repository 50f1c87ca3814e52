import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createFakeRooms } from '#server/engines/rooms/fake';
import type { SharedState } from '#server/engines/shared-state/contract';
import { openSharedState } from '#server/engines/shared-state/index';
import { readConfig } from '#server/settings/config';
import type { SignedIn } from '#shared/accounts';
import { aPassword } from '../../tests/factories.ts';
import { CallClient } from '../../tests/support/call-world.ts';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { fakeEngineControls } from '../../tests/support/fake-engine-controls.ts';
import { hasRedis, RedisServer } from '../../tests/support/redis-server.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';

interface Instance {
  app: TestApp;
  url: string;
  state: SharedState;
  controls: ReturnType<typeof fakeEngineControls>;
  /** Participants removed from rooms, with the room. */
  removed: string[];
}

describe.runIf(hasRedis)('two instances on one database and one Redis server', () => {
  let redis: RedisServer;
  let database: TestDatabase;
  let here: Instance;
  let there: Instance;
  let ada: SignedIn;
  const clients: CallClient[] = [];

  async function openInstance(): Promise<Instance> {
    const around = { installation: 'test', logger: capturedLogger().logger };
    const state = await openSharedState({ redisUrl: redis.url }, around);
    const rooms = createFakeRooms();
    const removed: string[] = [];
    rooms.removeParticipant = async (room, identity) => void removed.push(`${identity} from ${room}`);
    const controls = fakeEngineControls();
    controls.change(readConfig({}));
    const app = await openTestApp({
      config: { publicUrl: null, corsOrigins: [], rateLimit: true },
      database,
      engines: { sharedState: state, rooms, controls },
    });
    return { app, url: await app.listen(), state, controls, removed };
  }

  beforeAll(async () => {
    redis = await RedisServer.start();
    database = await openTestDatabase();
    [here, there] = [await openInstance(), await openInstance()];
    ada = await here.app.signUp();
  });
  afterAll(async () => {
    for (const { app, state } of [here, there]) {
      await app.close();
      await state.close();
    }
    await database.close();
    await redis.kill();
  });
  afterEach(() => {
    for (const client of clients.splice(0)) client.socket.disconnect();
  });

  async function connect({ url }: Instance, { user, token }: SignedIn) {
    const client = new CallClient(url, { ...user, token });
    clients.push(client);
    await client.connected();
    return client;
  }
  const signIn = async ({ app }: Instance, password = aPassword) =>
    app.server.inject({
      method: 'POST',
      url: '/api/auth/login',
      body: { email: ada.user.email, password },
    });

  it('a tab at one follows what is said and answered at the other', async () => {
    const asking = await connect(here, ada);
    const following = await connect(there, ada);
    const { conversationId } = await asking.start();
    await following.start({ conversationId });
    await asking.say(conversationId, 'When are you open?', { clientMessageId: 'a' });
    const reply = await asking.nth('ai_response');
    expect(await following.nth('message_stored')).toMatchObject({
      conversationId,
      message: { content: 'When are you open?', clientMessageId: 'a' },
    });
    expect(await following.nth('ai_response')).toMatchObject({ responseId: reply.responseId });
    expect(asking.all('ai_response')).toHaveLength(1);
  });

  it('a session that ends at one ends its sockets and rooms at the other', async () => {
    const { token } = (await signIn(here)).json();
    const client = await connect(there, { ...ada, token });
    const inRoom = await there.app.as(token, 'POST', '/api/livekit/join-room', {
      roomName: 'kitchen',
      participantName: 'Ada',
      participantIdentity: ada.user._id,
    });
    expect(inRoom.statusCode).toBe(200);
    const gone = new Promise((resolve) => client.socket.once('disconnect', resolve));
    await here.app.as(token, 'POST', '/api/auth/logout');
    await gone;
    expect(await client.nth('error')).toMatchObject({ code: 'unauthenticated' });
    await expect.poll(() => there.removed).toEqual([`${ada.user._id} from kitchen`]);
  });

  it('an account has so many microphones at all of them', async () => {
    const seats = await Promise.all(
      [here, here, there].map(({ state }) => state.take(`microphones of ${ada.user._id}`, 3)),
    );
    const client = await connect(there, ada);
    const { conversationId } = await client.start();
    const ask = () =>
      client.send<{ ok: boolean; error?: { code: string } }>('speech_start', {
        conversationId,
        mode: 'push-to-talk',
        sampleRate: 16_000,
      });
    expect(await ask()).toMatchObject({ ok: false, error: { code: 'conflict' } });
    seats[0]?.release();
    expect(await ask()).toMatchObject({ ok: true });
    for (const seat of seats) seat?.release();
  });

  it('a conversation that is ended at one takes no more turns at the other', async () => {
    const client = await connect(there, ada);
    const { conversationId } = await client.start();
    expect(
      await client.send('speech_start', { conversationId, mode: 'push-to-talk', sampleRate: 16_000 }),
    ).toMatchObject({ ok: true });
    const ended = await here.app.as(ada.token, 'PUT', `/api/conversations/${conversationId}/end`);
    expect(ended.statusCode).toBe(200);
    await expect
      .poll(() => client.send('speech_audio', { conversationId, index: 0, audio: Buffer.alloc(3_200) }))
      .toMatchObject({ ok: false, error: { code: 'conversation-ended' } });
  });

  it('what an owner saves of an engine at one counts at the other', async () => {
    const saved = await here.app.as(ada.token, 'PUT', '/api/settings/engines/language', {
      values: { LLM_BASE_URL: 'http://127.0.0.1:11434/v1', LLM_MODEL: 'llama3.2' },
    });
    expect(saved.statusCode).toBe(200);
    await expect.poll(() => there.controls.inUse.languageModels).toEqual(here.controls.inUse.languageModels);
    expect(there.controls.inUse.languageModels).toMatchObject([{ model: 'llama3.2' }]);
    await there.app.as(ada.token, 'PUT', '/api/settings/engines/language', {
      values: { LLM_BASE_URL: null, LLM_MODEL: null },
    });
    await expect.poll(() => here.controls.inUse.languageModels).toEqual([]);
  });

  it('a turn that one is answering is answered by nobody else, and told to who asks for it at the other', async () => {
    const asking = await connect(here, ada);
    const { conversationId } = await asking.start();
    // The other instance is answering in this conversation.
    const seat = await there.state.take(`turn in ${conversationId}`, 1);
    await asking.say(conversationId, 'When are you open?', { clientMessageId: 'a' });
    const elsewhere = await connect(there, ada);
    await elsewhere.start({ conversationId });
    await elsewhere.say(conversationId, 'When are you open?', { clientMessageId: 'a' });
    expect(asking.all('ai_response')).toEqual([]);
    seat?.release();
    const [one, other] = await Promise.all([asking.nth('ai_response'), elsewhere.nth('ai_response')]);
    expect(other.responseId).toBe(one.responseId);
    const stored = (await here.app.as(ada.token, 'GET', `/api/conversations/${conversationId}`)).json();
    expect(stored.messages.map(({ role }: { role: string }) => role)).toEqual([
      'assistant',
      'user',
      'assistant',
    ]);
  });

  it('guesses at one count at the other', async () => {
    const guess = (instance: Instance) => signIn(instance, 'Wrong-Password-1');
    const statuses: number[] = [];
    for (const instance of [here, there, here, there, here, there, here])
      statuses.push((await guess(instance)).statusCode);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 401, 429]);
    expect((await guess(there)).statusCode).toBe(429);
  });

  it('calls go on while the Redis server is away, and /ready says what is missing', async () => {
    const client = await connect(here, ada);
    const { conversationId } = await client.start();
    expect((await here.app.server.inject('/ready')).json()).toEqual({ status: 'ready' });
    await redis.kill();
    await client.say(conversationId, 'When are you open?');
    await client.nth('ai_response');
    await expect.poll(() => here.state.status().state).toBe('failed');
    for (const url of ['/ready', '/ready?for=text']) {
      const response = await here.app.server.inject(url);
      expect([response.statusCode, Object.keys(response.json().degraded)]).toEqual([200, ['shared state']]);
    }
    // The end of the session cannot be reported: its own instance must close its connections.
    const { token } = (await signIn(here)).json();
    const own = await connect(here, { ...ada, token });
    const other = await connect(there, { ...ada, token });
    const [ownGone, otherGone] = [own, other].map(
      ({ socket }) => new Promise((resolve) => socket.once('disconnect', resolve)),
    );
    await here.app.as(token, 'POST', '/api/auth/logout');
    await ownGone;
    expect(other.socket.connected).toBe(true);
    // Once Redis is back, the other instances check for themselves.
    await redis.again();
    await otherGone;
    await expect
      .poll(async () => (await there.app.server.inject('/ready')).json())
      .toEqual({ status: 'ready' });
  });
});
