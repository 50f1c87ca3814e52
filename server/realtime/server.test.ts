import { io, type ManagerOptions, type Socket, type SocketOptions } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';
import {
  type CallWorld,
  type CallWorldOptions,
  openCallWorld,
  type TestUser,
} from '../../tests/support/call-world.ts';
import { patientLimits } from '../../tests/support/patient-limits.ts';
import { openTestDatabase, type TestDatabase } from '../../tests/support/test-database.ts';

let database: TestDatabase;
let world: CallWorld;
let user: TestUser;
const opened: Socket[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());
afterEach(() => {
  for (const socket of opened.splice(0)) socket.disconnect();
});

const openWorld = async (options: CallWorldOptions = {}) => {
  world = await openCallWorld({ ...options, database });
  user = await world.addUser();
};

function knock(options: Partial<ManagerOptions & SocketOptions>): Socket {
  const socket = io(world.url, {
    transports: ['websocket'],
    forceNew: true,
    reconnection: false,
    ...options,
  });
  opened.push(socket);
  return socket;
}

const refusal = (options: Partial<ManagerOptions & SocketOptions>) =>
  new Promise<Error & { data?: unknown }>((resolve, reject) => {
    const socket = knock(options);
    socket.once('connect_error', resolve);
    socket.once('connect', () => reject(new Error('It was let in.')));
  });

const happens = (socket: Socket, event: string) =>
  new Promise<unknown>((resolve) => {
    socket.once(event, resolve);
  });

/** Checks that the server still serves a whole turn. */
async function expectUnharmed() {
  const client = await world.connect(user);
  const { conversationId } = await client.start();
  expect(await client.say(conversationId, 'Still there?')).toMatchObject({ ok: true });
  await client.quiet();
  expect(client.all('ai_response')).toHaveLength(1);
  client.socket.disconnect();
}

describe('the handshake', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());

  it.each([
    ['none', undefined],
    ['no token', {}],
    ['an empty token', { token: '' }],
    ['an unknown token', { token: 'nobody' }],
    ['a token of another type', { token: 7 }],
    ['a token that is an object', { token: { $ne: null } }],
    ['a token longer than any', { token: 'x'.repeat(10_000) }],
    ['a wrong flag', { token: 'nobody', streaming: 'yes' }],
  ])('refuses %s with a sentence', async (_what, auth) => {
    const error = await refusal(auth ? { auth } : {});
    expect(error.message).toBe('Please sign in to continue.');
    expect(error.data).toMatchObject({ code: 'unauthenticated' });
  });

  it.each([
    ['websocket', ['websocket']],
    ['polling', ['polling']],
    ['an upgrade', ['polling', 'websocket']],
  ])('cuts off a stranger over %s who sends more than a sign-in can hold', async (_what, transports) => {
    const asked = vi.spyOn(world.signedIn, 'get');
    const socket = knock({ transports, auth: { token: 'x'.repeat(100_000) } });
    await new Promise((resolve) => socket.io.once('close', resolve));
    expect(socket.connected).toBe(false);
    expect(asked).not.toHaveBeenCalled();
    asked.mockRestore();
  });

  it.each([
    ['websocket', ['websocket']],
    ['polling', ['polling']],
    ['an upgrade', ['polling', 'websocket']],
  ])('takes a whole message over %s once somebody is signed in', async (_what, transports) => {
    const socket = knock({ transports, auth: { token: user.token } });
    await happens(socket, 'connect');
    await expect.poll(() => socket.io.engine.transport.name).toBe(transports.at(-1));
    const refused = await socket.emitWithAck('user_message', { message: 'x'.repeat(1_000_000) });
    expect(refused).toMatchObject({ ok: false, error: { code: 'invalid-input' } });
  });

  it('says nothing of what went wrong inside', async () => {
    world.signedIn.get = () => {
      throw new Error('connection to 10.0.0.5 refused');
    };
    const error = await refusal({ auth: { token: user.token } });
    Reflect.deleteProperty(world.signedIn, 'get');
    expect(error.message).not.toContain('10.0.0.5');
    expect(error.data).toMatchObject({ code: 'internal', retryable: true });
    expect(world.logged).toHaveLength(1);
  });

  it.each(['websocket', 'polling'])('checks the origin of a page over %s', async (transport) => {
    const from = (origin: string) => ({
      auth: { token: user.token },
      transports: [transport],
      extraHeaders: { origin },
    });
    await refusal(from('https://evil.example.com'));
    await happens(knock(from('https://care.example.com')), 'connect');
  });

  it('answers a page of an allowed origin, and no other, with CORS headers', async () => {
    const headersFor = async (origin: string) => {
      const response = await fetch(`${world.url}/socket.io/?EIO=4&transport=polling`, {
        headers: { origin },
      });
      await response.text();
      return response.headers.get('access-control-allow-origin');
    };
    expect(await headersFor('https://care.example.com')).toBe('https://care.example.com');
    expect(await headersFor('https://evil.example.com')).toBeNull();
  });

  it('bounds the connections of one user', async () => {
    const crowd = await world.addUser();
    for (let n = 0; n < 20; n++) await world.connect(crowd);
    const error = await refusal({ auth: { token: crowd.token } });
    expect(error.data).toMatchObject({ code: 'rate-limited' });
    await world.connect(user);
  });
});

describe('a client that leaves the channel', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());

  it('keeps no connection that nobody counts', async () => {
    const { socket } = await world.connect(user);
    const { engine } = socket.io;
    const closed = new Promise<string>((resolve) => {
      engine.once('close', resolve);
    });
    // The packet of a browser that leaves; a browser would also close the connection.
    engine.write('1');
    expect(await closed).toBe('transport close');
  });
});

describe('a session that ends', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());

  it('takes all its connections with it, and no others', async () => {
    const revoked = [await world.connect(user), await world.connect(user)];
    const otherSession = `second-${user.token}`;
    world.signedIn.set(otherSession, user);
    const other = await world.connect({ ...user, token: otherSession });
    const gone = revoked.map(({ socket }) => happens(socket, 'disconnect'));
    world.realtime.disconnectSession(`session of ${user.token}`);
    await Promise.all(gone);
    expect(await revoked[0]?.nth('error')).toMatchObject({ code: 'unauthenticated' });
    await other.start();
    expect(other.socket.connected).toBe(true);
  });
});

describe('an instance that ends', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());

  it('lets everybody go as soon as they wait for nothing, and takes nobody new', async () => {
    const waiting = await world.addUser();
    const [idle, busy] = [await world.connect(user), await world.connect(waiting)];
    let isAnswered = false;
    const gone = happens(idle.socket, 'disconnect');
    world.realtime.letGo((userId) => userId === waiting._id && !isAnswered);
    // The page reconnects by itself after this reason, and after few others.
    expect(await gone).toBe('transport close');
    expect((await refusal({ auth: { token: user.token } })).data).toMatchObject({ code: 'unavailable' });
    expect(busy.socket.connected).toBe(true);
    const answered = happens(busy.socket, 'disconnect');
    isAnswered = true;
    expect(await answered).toBe('transport close');
  });
});

const proto = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}');
const deep = () => {
  let nested: unknown = 'x';
  for (let n = 0; n < 1_000; n++) nested = [nested];
  return nested;
};

describe('hostile payloads', () => {
  beforeAll(() => openWorld());
  afterAll(() => world.close());
  beforeEach(() => world.reset());

  const hostile: [string, () => unknown[]][] = [
    ['nothing', () => []],
    ['null', () => [null]],
    ['a number', () => [42]],
    ['a string', () => ['{"conversationId":"x"}']],
    ['an array', () => [['conversationId']]],
    ['an empty object', () => [{}]],
    ['wrong types', () => [{ conversationId: 1, message: {}, responseId: [], heardMs: 'x', userId: {} }]],
    ['a prototype', () => [proto]],
    ['binary', () => [Buffer.from([1, 2, 3])]],
    [
      'binary fields',
      () => [{ conversationId: Buffer.from('x'), message: Buffer.from('y'), userId: Buffer.from('z') }],
    ],
    ['depth', () => [{ conversationId: deep(), message: deep(), userId: deep() }]],
    ['many arguments', () => Array.from({ length: 1000 }, (_, n) => n)],
    ['many keys', () => [Object.fromEntries(Array.from({ length: 50_000 }, (_, n) => [`k${n}`, n]))]],
    [
      'endless ids',
      () => [
        {
          conversationId: 'x'.repeat(100_000),
          message: 'm',
          userId: 'x'.repeat(100_000),
          responseId: 'x'.repeat(1000),
          heardMs: 0,
        },
      ],
    ],
    [
      'SQL',
      () => [
        {
          conversationId: "'; drop table users; --",
          message: 'm',
          userId: "' or '1'='1",
          responseId: '%',
          heardMs: 0,
        },
      ],
    ],
    [
      'numbers out of range',
      () => [{ conversationId: 'x', responseId: 'y', heardMs: -1, userId: '', message: ' ' }],
    ],
    [
      'an enormous agentInfo',
      () => [
        { userId: 'x', conversationId: 'x', message: 'x', agentInfo: { companyInfo: 'x'.repeat(500_000) } },
      ],
    ],
  ];

  describe.each(['start_conversation', 'user_message', 'interrupt', 'speech_start', 'speech_end'])(
    '%s',
    (event) => {
      it.each(hostile)('answers %s with an error and a refused acknowledgement', async (_what, args) => {
        const client = await world.connect(user);
        const ack = await client.send<{ ok: boolean; error?: unknown }>(event, ...args());
        const error = await client.nth('error');
        expect(error).toMatchObject({
          message: expect.stringMatching(/^[A-Z].*/),
          code: expect.stringMatching(/^(invalid-input|forbidden|not-found|conflict)$/),
          retryable: false,
          ...(error.conversationId ? { conversationId: expect.any(String) } : {}),
        });
        expect(ack).toEqual({ ok: false, error });
        expect(client.socket.connected).toBe(true);
        expect(Reflect.get({}, 'polluted')).toBeUndefined();
        client.socket.disconnect();
      });
    },
  );

  it('needs no acknowledgement, and no function for one', async () => {
    const client = await world.connect(user);
    client.emit('user_message', { conversationId: 'x' }, 'not a function');
    client.emit('user_message', { conversationId: 'x', message: 'm' });
    await client.nth('error', 2);
    await expectUnharmed();
  });

  it.each(['error', 'toString', '__proto__', 'constructor', 'nonsense', '', 'x'.repeat(10_000)])(
    'ignores the unknown event %.20s',
    async (event) => {
      const client = await world.connect(user);
      client.emit(event, { anything: true });
      await client.start();
      expect(client.order).toEqual(['conversation_started']);
      client.socket.disconnect();
    },
  );

  it.each([
    ['an event the protocol keeps for itself', '2["disconnect"]'],
    ['an event without a name', '2[]'],
    ['an event whose name is an object', '2[{"a":1}]'],
    ['broken JSON', '2["user_message",{'],
    ['an unknown packet type', '9'],
    ['a packet of another protocol', 'GET / HTTP/1.1'],
    ['binary that never comes', '51-["user_message",{"_placeholder":true,"num":0}]'],
    ['more binary than it may', '599999999-["user_message"]'],
    ['binary out of place', '51-["user_message",{"_placeholder":true,"num":7}]'],
    ['an acknowledgement nobody asked for', '312345["x"]'],
    ['another namespace', '0/admin,'],
    ['depth beyond any stack', `2["user_message",${'['.repeat(200_000)}${']'.repeat(200_000)}]`],
    ['depth in a binary event', `51-["user_message",${'['.repeat(200_000)}${']'.repeat(200_000)}]`],
    ['binary that no event announced', Buffer.from([1, 2, 3])],
  ])('survives %s on the wire', async (_what, packet) => {
    const client = await world.connect(user);
    client.socket.io.engine.write(packet);
    client.socket.io.engine.write(Buffer.from([4, 5, 6]));
    await expectUnharmed();
    client.socket.disconnect();
  });

  it('cuts off a connection that sends more than a message can be', async () => {
    const client = await world.connect(user);
    const cutOff = happens(client.socket, 'disconnect');
    client.emit('user_message', { conversationId: 'x', message: 'x'.repeat(3_000_000) });
    await cutOff;
    await expectUnharmed();
  });

  it('takes the largest agentInfo a page of ours can send', async () => {
    const client = await world.connect(user);
    const agentInfo = {
      companyInfo: '客'.repeat(200_000),
      prompts: Array.from({ length: 50 }, () => '服'.repeat(4_000)),
    };
    await client.start({ agentInfo });
    expect(client.all('error')).toEqual([]);
  });
});

describe('rate limits', () => {
  beforeEach(() => openWorld({ rateLimit: patientLimits() }));
  afterEach(() => world.close());

  it('refuse a user who sends too much, over all their connections, and leave others alone', async () => {
    const [first, second] = [await world.connect(user), await world.connect(user)];
    for (let n = 0; n < 10; n++)
      await Promise.all([first.start({ voice: false }), second.start({ voice: false })]);
    const ack = await first.send('start_conversation', { userId: user._id });
    expect(ack).toMatchObject({ ok: false, error: { code: 'rate-limited', retryable: true } });
    expect(await first.nth('error')).toMatchObject({ code: 'rate-limited' });
    const other = await world.connect(await world.addUser());
    await other.start();
  });

  it('count what no feature knows, and cut off who goes on in spite of refusals', async () => {
    const client = await world.connect(user);
    const cutOff = happens(client.socket, 'disconnect');
    for (let n = 0; n < 1_100; n++) client.emit('nonsense', n);
    await cutOff;
    expect(client.all('error').length).toBeGreaterThan(0);
    await expectUnharmed();
  });
});

describe('sign-ins', () => {
  /** The real limits, reduced to three. */
  const smallLimits: LimiterFactory = (name, { count, windowS }) =>
    memoryLimiters(name, { count: name.startsWith('socket-') ? 3 : count, windowS });
  afterEach(() => world.close());

  it('of one address are counted before anybody is looked up', async () => {
    await openWorld({ rateLimit: smallLimits });
    const asked = vi.spyOn(world.signedIn, 'get');
    for (let n = 0; n < 3; n++)
      expect((await refusal({ auth: { token: 'nobody' } })).data).toMatchObject({ code: 'unauthenticated' });
    const refused = await refusal({ auth: { token: 'nobody' } });
    expect(refused.data).toMatchObject({ code: 'rate-limited', retryable: true });
    expect(asked).toHaveBeenCalledTimes(3);
  });

  it('of one account are counted from wherever they come', async () => {
    const perAccount: LimiterFactory = (name, limit) =>
      name === 'socket-user' ? smallLimits(name, limit) : memoryLimiters(name, limit);
    await openWorld({ rateLimit: perAccount });
    for (let n = 0; n < 3; n++) await world.connect(user);
    expect((await refusal({ auth: { token: user.token } })).data).toMatchObject({ code: 'rate-limited' });
    await world.connect(await world.addUser());
  });
});

describe('closing', () => {
  it('lets go of clients in a way that makes them come back, and takes no new ones', async () => {
    await openWorld();
    const client = await world.connect(user);
    const gone = happens(client.socket, 'disconnect');
    await world.realtime.close();
    expect(await gone).toBe('transport close');
    await refusal({ auth: { token: user.token } });
    await world.close();
  });
});

it('is reached by long polling where WebSockets are not', async () => {
  await openWorld();
  const socket = knock({ auth: { token: user.token }, transports: ['polling'] });
  await happens(socket, 'connect');
  const ack = await socket.emitWithAck('start_conversation', { userId: user._id });
  expect(ack).toMatchObject({ ok: true });
  socket.disconnect();
  await world.close();
});
