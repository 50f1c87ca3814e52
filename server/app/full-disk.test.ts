import { eq } from 'drizzle-orm';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { users } from '#server/database/schema';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeMediaStore } from '#server/engines/storage/fake';
import { ownScope } from '../../tests/factories.ts';
import { openCallWorld } from '../../tests/support/call-world.ts';
import { openOnFillingDisk } from '../../tests/support/filling-disk.ts';
import { sentencesOf } from '../../tests/support/scripted-engines.ts';
import { type Somebody, somebodyIn } from '../../tests/support/somebody.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';
import { aRecordingForm } from '../../tests/support/uploads.ts';
import { routeRights, statusFor } from '../../tests/support/who-may.ts';

const SENTENCE =
  'The disk of this server is full. You can read everything, but nothing can be saved until its operator frees space.';

let disk: Awaited<ReturnType<typeof openOnFillingDisk>>;
let app: TestApp;
let hers: Somebody;
beforeAll(async () => {
  disk = await openOnFillingDisk();
  const rooms = createFakeRooms();
  const mediaStore = createFakeMediaStore();
  app = await openTestApp({ database: disk.database, engines: { rooms, mediaStore } });
  // Another owner, so that she may leave.
  await app.signUp();
  hers = await somebodyIn({ app, rooms, mediaStore });
  await app.database.db
    .update(users)
    .set({ isInstallationOwner: true })
    .where(eq(users.id, hers.her.user._id));
});
afterAll(async () => {
  await app.close();
  await disk.database.close();
});

async function ask(operation: string) {
  const right = routeRights[operation];
  if (!right) throw new Error(`There is no ${operation}.`);
  const [method = '', path = ''] = operation.split(' ');
  const { her, of } = hers;
  const names = right.names?.(of) ?? [];
  const url = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(names.shift() ?? ''));
  const form = right.isUpload ? await aRecordingForm() : null;
  const body = form?.body ?? right.body?.(her.user._id);
  const response = await app.server.inject({
    method: method as 'GET',
    url,
    headers: { ...form?.headers, authorization: `Bearer ${her.token}` },
    ...(body ? { body } : {}),
  });
  // She owns the installation, too.
  const asker = right.for === 'installation-owners' ? 'operator' : 'herself';
  return { expected: statusFor(right, asker), response };
}

describe('a full disk', () => {
  beforeAll(() => disk.fill());
  afterAll(() => disk.makeRoom());

  const [reading, others] = [true, false].map((reads) =>
    Object.keys(routeRights).filter((name) => name.startsWith('GET ') === reads),
  );

  it.each(reading ?? [])('%s is answered as ever', async (operation) => {
    const { expected, response } = await ask(operation);
    expect([response.statusCode, response.body.slice(0, 300)]).toEqual([expected, expect.anything()]);
  });

  it.each(others ?? [])('%s is answered as ever or refused with the sentence', async (operation) => {
    const { expected, response } = await ask(operation);
    if (response.statusCode === expected) return;
    expect([response.statusCode, response.json()]).toMatchObject([
      503,
      { message: SENTENCE, error: SENTENCE, code: 'unavailable' },
    ]);
  });

  it('keeps out what would have to be kept', async () => {
    for (const operation of ['POST /api/agents', 'POST /api/auth/register', 'PUT /api/preferences'])
      expect([operation, (await ask(operation)).response.statusCode]).toEqual([operation, 503]);
  });

  it('lets go on with what was begun before, also a session that was not used for a while', async () => {
    const { her, of } = hers;
    const search = () => app.as(her.token, 'GET', '/api/conversations?q=xyzzy');
    await disk.makeRoom();
    await search();
    await app.database.pool.query('update conversations set search_stale = true');
    await app.database.pool.query("update sessions set last_used_at = last_used_at - interval '1 hour'");
    await disk.fill();
    const found = await search();
    expect(found.json()).toMatchObject([{ _id: of.conversation }]);
  });

  it('is told by /ready, which takes nobody away', async () => {
    const response = await app.server.inject('/ready');
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 'ready', degraded: { disk: SENTENCE } },
    ]);
  });
});

describe('a call when the disk becomes full', () => {
  const aCall = async () => {
    const url = await listening;
    const { token, user } = hers.her;
    const socket = io(url, { auth: { token }, transports: ['websocket'], forceNew: true });
    const send = (event: string, payload: object) =>
      new Promise<Record<string, unknown>>((resolve) => socket.emit(event, payload, resolve));
    await new Promise<void>((resolve) => socket.once('connect', resolve));
    const call = { userId: user._id, isCallSimulator: true };
    return { socket, send, call };
  };
  let listening: Promise<string>;
  beforeAll(() => {
    listening = app.listen();
  });
  beforeEach(() => disk.makeRoom());

  it('is refused each message by its acknowledgement, and goes on once there is room', async () => {
    const { socket, send, call } = await aCall();
    const { conversationId } = await send('start_conversation', call);
    const message = { conversationId, message: 'When are you open?', clientMessageId: 'one' };
    await disk.fill();
    const refused = { ok: false, error: { message: SENTENCE, code: 'unavailable', retryable: true } };
    expect(await send('user_message', message)).toMatchObject(refused);
    expect(await send('start_conversation', call)).toMatchObject(refused);
    await disk.makeRoom();
    const answered = new Promise((resolve) => socket.once('ai_response', resolve));
    expect(await send('user_message', message)).toMatchObject({ ok: true });
    expect(await answered).toMatchObject({ conversationId });
    socket.disconnect();
  });

  it('hears the sentence instead of an answer that can no longer be kept', async () => {
    const world = await openCallWorld({ database: disk.database });
    const user = await world.addUser();
    const client = await world.connect(user, { streaming: true });
    const { conversationId } = await client.start();
    world.dialogue.answer = async function* () {
      await disk.fill();
      yield* sentencesOf('We open at nine.');
    };
    expect(await client.say(conversationId, 'When?')).toMatchObject({ ok: true });
    expect(await client.nth('error')).toMatchObject({
      message: SENTENCE,
      code: 'unavailable',
      conversationId,
    });
    await client.quiet();
    expect(client.order.slice(-2)).toEqual(['error', 'typing false']);
    expect(client.all('ai_response')).toEqual([]);
    const { messages } = await world.conversations.get(ownScope(user), conversationId);
    expect(messages.at(-1)?.content).toBe('When?');
    await world.close();
  });
});
