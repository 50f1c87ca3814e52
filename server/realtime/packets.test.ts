import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { WebSocket } from 'ws';
import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';
import { type CallWorld, openCallWorld, type TestUser } from '../../tests/support/call-world.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';

/** The real byte limits, ten times smaller and over an hour; no other limits. */
const smallBytes: LimiterFactory = (name, { count }) =>
  memoryLimiters(name, {
    count: name.startsWith('socket-bytes-') ? count / 10 : count * 100,
    windowS: 3600,
  });
/** With them: bytes per account that may be parsed, and bytes in total. */
const PARSED = 600_000;
const ANY = 4_000_000;
/** Counts as a long packet. */
const LONG = 90_000;
const CUT_OFF = 'Too much was sent at once. Please wait a moment and connect again.';

let database: TestDatabase;
let world: CallWorld;
let user: TestUser;
const opened: Socket[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
beforeEach(async () => {
  world = await openCallWorld({ database, rateLimit: smallBytes });
  user = await world.addUser();
});
afterEach(async () => {
  vi.restoreAllMocks();
  for (const socket of opened.splice(0)) socket.disconnect();
  await world.close();
});

/** A user's connection, and the events it received. */
async function connect(
  { token }: TestUser = user,
  options: Partial<ManagerOptions & SocketOptions> = { transports: ['websocket'] },
) {
  const socket = io(world.url, { auth: { token }, forceNew: true, reconnection: false, ...options });
  opened.push(socket);
  const errors: { message: string; code: string }[] = [];
  socket.on('error', (error) => errors.push(error));
  const gone = new Promise<void>((resolve) => socket.once('disconnect', () => resolve()));
  await new Promise((resolve) => socket.once('connect', () => resolve(undefined)));
  return { socket, errors, gone, write: (packet: string) => socket.io.engine.write(packet) };
}

/** Counts bytes of long packets that are parsed from now on. */
function parsing(): () => number {
  const parse = vi.spyOn(JSON, 'parse');
  return () =>
    parse.mock.calls
      .map(([text]) => String(text).length)
      .filter((length) => length >= LONG)
      .reduce((all, length) => all + length, 0);
}

/** A long-polling request on the wire. */
const post = (sid: string, body: string) =>
  fetch(`${world.url}/socket.io/?EIO=4&transport=polling&sid=${sid}`, {
    method: 'POST',
    headers: { 'content-type': 'text/plain' },
    body,
  });

const message = (bytes: number) => ({ conversationId: 'x', message: 'm'.repeat(bytes) });
const nested = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`;

async function expectOthersServed() {
  const { socket } = await connect(await world.addUser());
  expect(await socket.emitWithAck('user_message', message(10))).toMatchObject({ ok: false });
  expect(socket.connected).toBe(true);
}

describe('a packet', () => {
  it.each([
    ['9,000 lists', nested(9_000)],
    ['31,000 objects', `${'{"a":'.repeat(31_000)}1${'}'.repeat(31_000)}`],
    ['lists that are never closed', '['.repeat(LONG)],
    ['small objects without end', `[${'{},'.repeat(LONG / 3)}{}]`],
  ])('of %s is refused before it is parsed, and whoever sent it hears why', async (_what, payload) => {
    const { socket, errors, write } = await connect();
    const packet = `27["user_message",${payload}]`;
    const parse = vi.spyOn(JSON, 'parse');
    write(packet);
    await expect.poll(() => errors).toHaveLength(1);
    expect(errors[0]).toMatchObject({
      code: 'invalid-input',
      message: expect.stringMatching(/^(?:Nest|Send) .*\.$/),
    });
    expect(
      parse.mock.calls.filter(([text]) => String(text).includes('[[[') || String(text).length > 8_000),
    ).toEqual([]);
    expect(socket.connected).toBe(true);
  });

  it('may be long for an event that carries an agent’s information, and for no other', async () => {
    const { socket } = await connect();
    const agentInfo = { companyInfo: 'x'.repeat(200_000) };
    const bytes = parsing();
    for (const event of ['interrupt', 'speech_start', 'speech_end', 'speech_audio', 'playback', 'nonsense'])
      expect(await socket.emitWithAck(event, { conversationId: 'x', agentInfo }), event).toMatchObject({
        ok: false,
        error: { code: expect.stringMatching(/^(?:invalid-input|rate-limited)$/) },
      });
    expect(bytes()).toBe(0);
  });

  it('with bytes in it is refused where its event takes none, and those bytes are nobody else’s', async () => {
    const { socket } = await connect();
    const refused = await socket.emitWithAck('user_message', { conversationId: Buffer.alloc(10) });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
    const answered = await socket.emitWithAck('speech_audio', { index: 0, audio: Buffer.alloc(320) });
    expect(answered).toMatchObject({ ok: false, error: { message: expect.not.stringContaining('bytes') } });
  });

  it('that is no event is cut off where it is long', async () => {
    const { gone, write } = await connect();
    const bytes = parsing();
    write(`31["${'x'.repeat(LONG)}"]`);
    await gone;
    expect(bytes()).toBe(0);
    await expectOthersServed();
  });
});

describe('an account', () => {
  it('has so many bytes parsed, over all its connections, and is cut off with a sentence when it goes on', async () => {
    const clients = await Promise.all(Array.from({ length: 4 }, () => connect()));
    const bytes = parsing();
    for (let n = 0; n < 10; n++) for (const { socket } of clients) socket.emit('user_message', message(LONG));
    // The fourth client may be silent when the account reaches its limit.
    await Promise.race(clients.map(({ gone }) => gone));
    expect(bytes()).toBeLessThanOrEqual(PARSED);
    expect(bytes()).toBeGreaterThan(PARSED / 2);
    const told = clients.flatMap(({ errors }) => errors);
    expect(told.map(({ code }) => code)).toContain('rate-limited');
    expect(told.map(({ message }) => message)).toContain(CUT_OFF);
    await expectOthersServed();
  });

  it.each([
    ['websocket', ['websocket']],
    ['polling', ['polling']],
    ['an upgrade', ['polling', 'websocket']],
  ])('is cut off over %s for bytes that are no event at all', async (_what, transports) => {
    const { socket, errors, gone } = await connect(user, { transports });
    const { engine } = socket.io;
    await expect.poll(() => engine.transport.name).toBe(transports.at(-1));
    let isGone = false;
    void gone.then(() => {
      isGone = true;
    });
    // Empty packets, reserved for the protocol.
    const nothing = `6${'x'.repeat(LONG)}`;
    const ws: unknown = Reflect.get(engine.transport, 'ws');
    const send = async () =>
      ws instanceof WebSocket ? ws.send(nothing) : await post(engine.id, nothing).catch(() => null);
    for (let sent = 0; sent < 3 * ANY && !isGone; sent += LONG) {
      await send();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await gone;
    expect(errors.map(({ message }) => message)).toContain(CUT_OFF);
    await expectOthersServed();
  });

  it('is cut off for as many packets in one request as no page sends', async () => {
    const { socket, gone } = await connect(user, { transports: ['polling'] });
    const response = await post(socket.io.engine.id, '6\x1e'.repeat(100_000)).catch(() => null);
    if (response) expect(response.status).toBe(413);
    await gone;
    await expectOthersServed();
  });
});
