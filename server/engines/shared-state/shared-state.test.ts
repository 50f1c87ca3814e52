import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { createClient } from 'redis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { capturedLogger } from '../../../tests/support/captured-logger.ts';
import { hasRedis, RedisServer } from '../../../tests/support/redis-server.ts';
import { type SharedState, untilItsOurs } from './contract.ts';
import { openSharedState } from './index.ts';
import { MemoryState } from './memory.ts';

const opened: SharedState[] = [];
afterEach(async () => {
  for (const state of opened.splice(0)) await state.close();
});

async function openRedis(redisUrl: string, installation = 'one', log = capturedLogger()) {
  const state = await openSharedState({ redisUrl }, { installation, logger: log.logger });
  opened.push(state);
  return Object.assign(state, { logs: log.lines });
}

const signal = () => AbortSignal.timeout(60_000);

/** Collects the messages of a topic. */
function ear(state: SharedState, topic = 'news') {
  const heard: string[] = [];
  state.hear(topic, z.string(), (payload) => heard.push(payload));
  return heard;
}

describe.each([
  { kind: 'memory', there: true },
  { kind: 'Redis', there: hasRedis },
])('two instances that share $kind', ({ kind, there }) => {
  let server: RedisServer | null = null;
  beforeAll(async () => {
    if (kind === 'Redis' && there) server = await RedisServer.start();
  });
  afterAll(() => server?.kill());

  let pairs = 0;
  async function pair(): Promise<[SharedState, SharedState]> {
    const installation = `pair ${pairs++}`;
    if (server) return [await openRedis(server.url, installation), await openRedis(server.url, installation)];
    const first = new MemoryState();
    return [first, new MemoryState(first)];
  }

  it.runIf(there)('know that they are not alone', async () => {
    for (const state of await pair()) expect(state).toMatchObject({ isShared: true });
  });

  it.runIf(there)('have so many seats together, and the last is free once somebody leaves', async () => {
    const [here, other] = await pair();
    const first = await here.take('microphones', 2);
    expect(await other.take('microphones', 2)).not.toBeNull();
    expect([await here.take('microphones', 2), await other.take('microphones', 2)]).toEqual([null, null]);
    expect(await other.take('something else', 1)).not.toBeNull();
    first?.release();
    first?.release();
    expect(await other.take('microphones', 2)).not.toBeNull();
    expect(await here.take('microphones', 2)).toBeNull();
  });

  it.runIf(there)('have the only seat one after the other', async () => {
    const [here, other] = await pair();
    const first = await untilItsOurs(here, 'turn', signal());
    const order: string[] = [];
    const waiting = untilItsOurs(other, 'turn', signal()).then((seat) => {
      order.push('the other has it');
      return seat;
    });
    expect(await other.take('turn', 1)).toBeNull();
    order.push('the first is done');
    first.release();
    (await waiting).release();
    expect(order).toEqual(['the first is done', 'the other has it']);
    expect(await here.take('turn', 1)).not.toBeNull();
  });

  it.runIf(there)('wait for a seat no longer than they want to', async () => {
    const [here, other] = await pair();
    await here.take('turn', 1);
    const giving = new AbortController();
    const waiting = untilItsOurs(other, 'turn', giving.signal);
    giving.abort(new Error('No longer.'));
    await expect(waiting).rejects.toThrow('No longer.');
  });

  it.runIf(there)('hear what the other tells, and not what they tell themselves', async () => {
    const [here, other] = await pair();
    const [heardHere, heardThere] = [ear(here), ear(other)];
    here.tell('something else', 'no');
    here.tell('news', { not: 'a string' });
    here.tell('news', 'hello');
    await expect.poll(() => heardThere).toEqual(['hello']);
    other.tell('news', 'welcome');
    await expect.poll(() => heardHere).toEqual(['welcome']);
    expect(heardThere).toEqual(['hello']);
  });
});

describe('without REDIS_URL', () => {
  it('an instance is alone, counts in memory and is always ready', async () => {
    const state = await openSharedState(
      { redisUrl: null },
      { installation: 'x', logger: capturedLogger().logger },
    );
    expect(state).toMatchObject({ isShared: false });
    expect(state.status().state).toBe('ready');
    const limiter = state.limiters('few', { count: 1, windowS: 60 });
    await limiter.consume('ada');
    await expect(limiter.consume('ada')).rejects.toBeInstanceOf(RateLimiterRes);
  });
});

describe.runIf(hasRedis)('on a Redis server', () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await RedisServer.start();
  });
  afterAll(() => server.kill());

  it('instances count attempts together, and take them back for each other', async () => {
    const limit = { count: 2, windowS: 60 };
    const here = (await openRedis(server.url)).limiters('attempts', limit);
    const other = (await openRedis(server.url)).limiters('attempts', limit);
    await here.consume('ada');
    expect(await other.consume('ada')).toMatchObject({ consumedPoints: 2 });
    await expect(here.consume('ada')).rejects.toMatchObject({ consumedPoints: 3 });
    expect(await other.get('ada')).toMatchObject({ consumedPoints: 3 });
    await other.reward('ada', 2);
    await here.consume('ada');
    await other.delete('ada');
    expect(await here.get('ada')).toBeNull();
    expect(await here.consume('ada', 1, { customDuration: 7 })).toMatchObject({ consumedPoints: 1 });
    expect((await other.get('ada'))?.msBeforeNext).toBeLessThanOrEqual(7_000);
  });

  it('instances count for themselves what each is to count here', async () => {
    const limit = { count: 2, windowS: 60, here: true };
    const [here, other] = [await openRedis(server.url), await openRedis(server.url)];
    const counting = [here, other].map(({ limiters }) => limiters('sound', limit).consume('ada', 2));
    expect(await Promise.all(counting)).toMatchObject([{ consumedPoints: 2 }, { consumedPoints: 2 }]);
  });

  it('installations do not hear or count each other', async () => {
    const [here, other] = [await openRedis(server.url, 'here'), await openRedis(server.url, 'other')];
    const heard = ear(other);
    here.tell('news', 'hello');
    expect(await here.take('seat', 1)).not.toBeNull();
    expect(await other.take('seat', 1)).not.toBeNull();
    const again = await openRedis(server.url, 'here');
    const heardAgain = ear(again);
    here.tell('news', 'anybody?');
    await expect.poll(() => heardAgain).toEqual(['anybody?']);
    expect(heard).toEqual([]);
  });

  it('an instance that closes leaves its seats at once', async () => {
    const [here, other] = [await openRedis(server.url), await openRedis(server.url)];
    await here.take('closing', 1);
    await here.close();
    expect(await other.take('closing', 1)).not.toBeNull();
  });

  it('a seat that was not renewed is free before its time where its instance listens no more, as one that was killed', async () => {
    const other = await openRedis(server.url, 'three');
    const beside = await createClient({ url: server.url }).connect();
    const listening = await beside.duplicate().connect();
    await listening.subscribe('sigma:three:there:listening', () => {});
    const left = async (name: string, who: string, leftMs: number) => {
      await beside.zAdd(`sigma:three:seats:${name}`, { score: Date.now() + leftMs, value: `${who} 7` });
      return other.take(name, 1);
    };
    expect(await left('of one that has gone', 'gone', 2_400)).not.toBeNull();
    expect(await left('of one that listens', 'listening', 2_400)).toBeNull();
    expect(await left('just renewed', 'gone', 60_000)).toBeNull();
    // The instance still listens.
    expect(await beside.pubSubChannels('sigma:three:there:*')).toHaveLength(2);
    for (const client of [beside, listening]) client.destroy();
  });

  it('a seat is kept for as long as its instance is there, and no longer', async () => {
    const own = await RedisServer.start();
    const [here, other] = [await openRedis(own.url), await openRedis(own.url)];
    const seat = await here.take('turn', 1);
    // Simulates a server that restarts without its data: the holder takes its seat again.
    await own.kill();
    await own.again();
    await expect.poll(() => here.status().state).toBe('ready');
    await expect.poll(() => other.take('turn', 1)).toBeNull();
    expect(seat?.lost.aborted).toBe(false);
    await own.kill();
  });

  it('a seat that was taken by another instance meanwhile is lost', async () => {
    const own = await RedisServer.start();
    const [here, other] = [await openRedis(own.url), await openRedis(own.url)];
    const seat = await here.take('turn', 1);
    await own.kill();
    // While the server is away, each instance counts for itself.
    await expect.poll(() => other.status().state).toBe('failed');
    const second = await other.take('turn', 1);
    expect(second).not.toBeNull();
    await own.again();
    const lost = [seat, second].map((each) => each && once(each.lost, 'abort'));
    await Promise.race(lost);
    expect([seat, second].filter((each) => each?.lost.aborted)).toHaveLength(1);
    await own.kill();
  });

  it.each(['is gone', 'stands still'])(
    'goes on with what it knows while the server %s, and comes back',
    async (how) => {
      const own = await RedisServer.start();
      const [here, other] = [await openRedis(own.url), await openRedis(own.url)];
      const limiter = here.limiters('few', { count: 1, windowS: 60 });
      let missed = 0;
      other.onMissed(() => missed++);
      const heard = ear(other);
      if (how === 'is gone') await own.kill();
      else own.hang();
      expect(await limiter.consume('ada')).toMatchObject({ consumedPoints: 1 });
      await expect.poll(() => here.status().state).toBe('failed');
      await expect(limiter.consume('ada')).rejects.toBeInstanceOf(RateLimiterRes);
      const seat = await here.take('seat', 1);
      expect(seat).not.toBeNull();
      expect(await here.take('seat', 1)).toBeNull();
      here.tell('news', 'lost');
      if (how === 'is gone') await own.again();
      else own.goOn();
      await expect.poll(() => here.status().state).toBe('ready');
      await expect.poll(() => other.status().state).toBe('ready');
      await expect.poll(() => missed).toBeGreaterThan(0);
      await expect
        .poll(() => {
          here.tell('news', 'found');
          return heard;
        })
        .toContain('found');
      expect(heard).not.toContain('lost');
      await expect.poll(() => other.take('seat', 1)).toBeNull();
      const about = here.logs().filter(({ msg }) => String(msg).startsWith('the Redis server is'));
      expect(about.map(({ level }) => level)).toHaveLength(2);
      await own.kill();
    },
  );

  const refusal = (redisUrl: string) =>
    openSharedState({ redisUrl }, { installation: 'x', logger: capturedLogger().logger }).then(
      () => 'It was taken.',
      (error: Error) => `${error.name}: ${error.message}`,
    );

  it('a password that is wrong or missing stops the start', async () => {
    const own = await RedisServer.start('--requirepass', 'secret');
    const at = `127.0.0.1:${own.port}`;
    expect(await refusal(`redis://:hunter2@${at}`)).toBe(
      `StartError: The server redis://${at} (REDIS_URL) cannot be used: it refuses this user or password.`,
    );
    expect(await refusal(`redis://${at}`)).toBe(
      `StartError: The server redis://${at} (REDIS_URL) cannot be used: it needs a password.`,
    );
    await openRedis(`redis://:secret@${at}`);
    await own.kill();
  });

  it('a password that has changed is shown when it connects next, and no other server is gone to', async () => {
    const own = await RedisServer.start('--requirepass', 'first');
    const at = `127.0.0.1:${own.port}`;
    const state = await openRedis(`redis://:first@${at}`);
    expect(state.takeUrl?.(`redis://:second@127.0.0.2:${own.port}`)).toBe(false);
    expect(state.takeUrl?.(`redis://somebody:second@${at}`)).toBe(false);
    expect(state.takeUrl?.(`redis://:second@${at}`)).toBe(true);
    expect(await state.take('seat', 1)).not.toBeNull();
    await own.kill();
    await expect.poll(() => state.status().state).toBe('failed');
    await own.again('--requirepass', 'second');
    await expect.poll(() => state.status().state).toBe('ready');
    await own.kill();
  });

  it('a database that is not there stops the start', async () => {
    expect(await refusal(`${server.url}/99`)).toBe(
      `StartError: The server ${server.url}/99 (REDIS_URL) cannot be used: there is no database of that number.`,
    );
    expect(await refusal(`${server.url}/care`)).toBe(
      `StartError: The server ${server.url}/care (REDIS_URL) cannot be used: what follows its host must be the number of a database.`,
    );
  });
});

describe('a server that cannot be used stops the start', () => {
  /** A server that answers everything alike, as one that is not Redis or is too old would. */
  async function answering(answer: (command: string) => string) {
    const server = createServer((socket) => {
      socket.on('error', () => {});
      socket.on('data', (data) => void socket.write(answer(data.toString())));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    return { url: `redis://127.0.0.1:${port}`, close: () => void server.close() };
  }
  const refusal = (redisUrl: string) =>
    openSharedState({ redisUrl }, { installation: 'x', logger: capturedLogger().logger }).then(
      () => 'It was taken.',
      (error: Error) => `${error.name}: ${error.message}`,
    );
  const infoOf = (info: string) => (command: string) => {
    const commands = [...command.matchAll(/^\*\d+/gm)].length;
    return /INFO\r\n/.test(command) && !/SETINFO/.test(command)
      ? `$${info.length}\r\n${info}\r\n`
      : '+OK\r\n'.repeat(commands);
  };

  it('nothing listens there', async () => {
    expect(await refusal('redis://sigma:hunter2@127.0.0.1:9/1')).toBe(
      'StartError: The server redis://sigma@127.0.0.1:9/1 (REDIS_URL) cannot be used: nothing listens at that address.',
    );
  });

  it('it is no Redis', async () => {
    const server = await answering(() => 'HTTP/1.1 400 Bad Request\r\n\r\n');
    expect(await refusal(server.url)).toBe(
      `StartError: The server ${server.url} (REDIS_URL) cannot be used: it does not answer as Redis.`,
    );
    server.close();
  });

  it.each([
    ['# Server\r\nredis_version:6.0.16\r\n', 'is Redis 6.0.16, but Sigma needs 6.2 or newer.'],
    [
      '# Server\r\nredis_version:7.2.4\r\nredis_mode:cluster\r\n',
      'is part of a Redis cluster, but Sigma needs one server, with replicas or without.',
    ],
  ])('it is of another kind: %j', async (info, sentence) => {
    const server = await answering(infoOf(info));
    expect(await refusal(server.url)).toBe(`StartError: The server ${server.url} (REDIS_URL) ${sentence}`);
    server.close();
  });
});
