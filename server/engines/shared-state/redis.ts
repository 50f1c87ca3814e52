import { createAdapter } from '@socket.io/redis-adapter';
import { RateLimiterRedis } from 'rate-limiter-flexible';
import { v7 as uuidv7 } from 'uuid';
import { z } from 'zod';
import { memoryLimiters } from '#server/lib/rate-limits';
import { differsByPassword } from '#server/lib/unreachable';
import { within } from '#server/lib/wait';
import type { Logger } from '#server/telemetry/logger';
import type { EngineStatus } from '#shared/status';
import { LEASE_MS, type Seat, type SharedState } from './contract.ts';
import { MemoryState } from './memory.ts';
import { type Address, BEAT_MS, CONNECT_MS, connectionTo } from './redis-connection.ts';
import { checkServer, refusalOf } from './redis-server.ts';
import { RENEW_SEATS, TAKE_SEAT } from './seat-scripts.ts';

interface Around {
  installation: string;
  logger: Pick<Logger, 'info' | 'warn'>;
}

type Client = ReturnType<typeof connectionTo>;

/**
 * Remaining lease of a seat after a missed beat: below it, the seat is free if its instance no longer
 * listens, either.
 */
const BEAT_MISSED_MS = LEASE_MS - 1.5 * BEAT_MS;
/** A slower answer is useless to a waiting caller. */
const ANSWER_MS = 500;
const LONGEST_RETRY_MS = 1_000;

const toldSchema = z.object({
  from: z.string(),
  /** null: an earlier message could not be sent. */
  topic: z.string().nullable(),
  payload: z.unknown(),
});

/**
 * State on a Redis or Valkey server.
 * @throws StartError with one sentence that never holds the password
 */
export async function openRedisState(url: string, around: Around): Promise<SharedState> {
  let isOpen = false;
  let failure: Error | null = null;
  const address = { url };
  const client = connectionTo(address, (retries, cause) => {
    failure = cause;
    return isOpen && Math.min(50 * 2 ** retries, LONGEST_RETRY_MS);
  });
  const subscriber = client.duplicate();
  // Ignored here: the beat reports errors once for all connections.
  for (const connection of [client, subscriber]) connection.on('error', () => {});
  try {
    if (!(await within(CONNECT_MS, client.connect()))) throw new Error('It does not answer.');
    checkServer(url, await client.info());
    await subscriber.connect();
    const state = new RedisState(client, subscriber, address, around);
    await state.open();
    isOpen = true;
    return state;
  } catch (error) {
    for (const connection of [client, subscriber]) if (connection.isOpen) connection.destroy();
    throw refusalOf(url, failure ?? error);
  }
}

interface Held {
  key: string;
  max: number;
  lost: AbortController;
}

class RedisState implements SharedState {
  readonly isShared = true;
  readonly #client: Client;
  readonly #subscriber: Client;
  readonly #address: Address;
  readonly #logger: Around['logger'];
  readonly #prefix: string;
  readonly #id = uuidv7();
  /** This instance's own seats and counters: the fallback while the server is away. */
  readonly #own = new MemoryState();
  /** By a name unique among all instances. */
  readonly #held = new Map<string, Held>();
  readonly #listeners = new Map<string, ((payload: unknown) => void)[]>();
  readonly #missed: (() => void)[] = [];
  #isThere = true;
  /** A message could not be sent. */
  #isUntold = false;
  #seats = 0;
  #beat: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(client: Client, subscriber: Client, address: Address, { installation, logger }: Around) {
    this.#client = client;
    this.#subscriber = subscriber;
    this.#address = address;
    this.#logger = logger;
    this.#prefix = `sigma:${installation}:`;
  }

  async open(): Promise<void> {
    await this.#subscriber.subscribe(`${this.#prefix}told`, (message) => this.#heard(message));
    // Nothing is published there: the subscription itself shows that this instance is alive.
    await this.#subscriber.subscribe(`${this.#presence}${this.#id}`, () => {});
    // Subscriptions are restored automatically; messages sent meanwhile are lost.
    this.#subscriber.on('ready', () => this.#tellMissed());
    this.#beatSoon();
  }

  /** Prefix of the channels on which instances listen. */
  get #presence(): string {
    return `${this.#prefix}there:`;
  }

  status(): EngineStatus {
    return this.#isThere
      ? { state: 'ready', message: 'Instances share limits and seats, and hear of each other.' }
      : {
          state: 'failed',
          message:
            'The Redis server (REDIS_URL) cannot be used: each instance counts limits and seats for itself and does not hear of the others.',
        };
  }

  limiters: SharedState['limiters'] = (name, limit) => {
    const own = memoryLimiters(name, limit);
    if (limit.here) return own;
    return new RateLimiterRedis({
      storeClient: this.#counting(),
      useRedisPackage: true,
      rejectIfRedisNotReady: true,
      keyPrefix: `${this.#prefix}limit:${name}`,
      points: limit.count,
      duration: limit.windowS,
      insuranceLimiter: own,
    });
  };

  async take(name: string, max: number): Promise<Seat | null> {
    const own = await this.#own.take(name, max);
    if (!own) return null;
    const key = `${this.#prefix}seats:${name}`;
    const holder = `${this.#id} ${this.#seats++}`;
    const seat = [holder, String(max), String(LEASE_MS), this.#presence, String(BEAT_MISSED_MS)];
    const taken = await this.#ask(() => this.#client.eval(TAKE_SEAT, { keys: [key], arguments: seat }));
    if (taken === 0) {
      own.release();
      return null;
    }
    const lost = new AbortController();
    this.#held.set(holder, { key, max, lost });
    return {
      lost: lost.signal,
      release: () => {
        own.release();
        if (this.#held.delete(holder)) void this.#ask(() => this.#client.zRem(key, holder));
      },
    };
  }

  tell(topic: string, payload: unknown): void {
    void this.#publish(topic, payload);
  }

  hear: SharedState['hear'] = (topic, schema, listener) => {
    const listeners = this.#listeners.get(topic) ?? [];
    this.#listeners.set(topic, listeners);
    listeners.push((payload) => {
      const heard = schema.safeParse(payload);
      if (heard.success) listener(heard.data);
    });
  };

  onMissed(listener: () => void): void {
    this.#missed.push(listener);
  }

  get socketAdapter(): NonNullable<SharedState['socketAdapter']> {
    const client = this.#client;
    const subscriber = this.#subscriber;
    // The adapter does not await its requests; a failure must not end the process.
    const quiet = (work: Promise<unknown>) => void work.catch(() => {});
    const connection = {
      publish: (channel: string, message: string | Buffer) => quiet(client.publish(channel, message)),
      subscribe: (...args: Parameters<Client['subscribe']>) => quiet(subscriber.subscribe(...args)),
      pSubscribe: (...args: Parameters<Client['pSubscribe']>) => quiet(subscriber.pSubscribe(...args)),
      unsubscribe: (...args: Parameters<Client['unsubscribe']>) => quiet(subscriber.unsubscribe(...args)),
      pUnsubscribe: (...args: Parameters<Client['pUnsubscribe']>) => quiet(subscriber.pUnsubscribe(...args)),
      on() {},
      off() {},
    };
    return createAdapter(connection, connection, { key: `${this.#prefix}sockets` });
  }

  takeUrl(url: string): boolean {
    const isThere = differsByPassword(url, this.#address.url);
    if (isThere) this.#address.url = url;
    return isThere;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#beat);
    const seats = [...this.#held];
    this.#held.clear();
    await Promise.all(seats.map(([holder, { key }]) => this.#ask(() => this.#client.zRem(key, holder))));
    for (const connection of [this.#client, this.#subscriber]) if (connection.isOpen) connection.destroy();
  }

  /**
   * Runs the counters' commands: they fail at once while the server is away, and the in-memory counters take
   * over.
   */
  #counting() {
    const isReady = () => this.#isThere && this.#client.isReady;
    const client = this.#client;
    return {
      get isReady() {
        return isReady();
      },
      eval: (...args: Parameters<Client['eval']>) => answered(client.eval(...args)),
      multi: () => client.multi(),
      del: (key: string) => answered(isReady() ? client.del(key) : Promise.reject(new Error('It is away.'))),
    };
  }

  async #publish(topic: string | null, payload: unknown): Promise<boolean> {
    const message = JSON.stringify({ from: this.#id, topic, payload });
    const heard = await this.#ask(() => this.#client.publish(`${this.#prefix}told`, message));
    if (heard === undefined) this.#isUntold = true;
    return heard !== undefined;
  }

  #heard(message: string): void {
    const told = toldSchema.safeParse(parsed(message));
    if (!told.success || told.data.from === this.#id) return;
    const { topic, payload } = told.data;
    if (topic === null) this.#tellMissed();
    else for (const listener of this.#listeners.get(topic) ?? []) listener(payload);
  }

  #tellMissed(): void {
    for (const listener of this.#missed) listener();
  }

  /** @returns undefined if the server did not answer or refused */
  async #ask<T>(command: () => Promise<T>): Promise<T | undefined> {
    if (!this.#isThere || !this.#client.isReady) return undefined;
    return answered(command()).catch(() => undefined);
  }

  #beatSoon(): void {
    this.#beat = setTimeout(async () => {
      await this.#renew();
      if (!this.#isClosed) this.#beatSoon();
    }, BEAT_MS).unref();
  }

  /** Renews all held seats. This write also shows whether the server can be used. */
  async #renew(): Promise<void> {
    const held = [...this.#held];
    try {
      const kept = z.array(z.number()).parse(
        await answered(
          this.#client.eval(RENEW_SEATS, {
            keys: [`${this.#prefix}beat`, ...held.map(([, { key }]) => key)],
            arguments: [String(LEASE_MS), ...held.flatMap(([holder, { max }]) => [holder, String(max)])],
          }),
        ),
      );
      for (const [place, [holder, { lost }]] of held.entries())
        if (kept[place] === 0 && this.#held.delete(holder)) lost.abort(new Error('The seat was taken.'));
      await this.#isBack();
    } catch (error) {
      if (!this.#isThere || this.#isClosed) return;
      this.#isThere = false;
      this.#logger.warn(
        { err: error },
        'the Redis server is away: this instance goes on with limits and seats of its own',
      );
    }
  }

  async #isBack(): Promise<void> {
    if (!this.#isThere) {
      this.#isThere = true;
      this.#logger.info('the Redis server is back: instances share limits and seats');
    }
    if (!this.#isUntold) return;
    this.#isUntold = false;
    await this.#publish(null, null);
  }
}

/** @throws Error on a timeout */
async function answered<T>(command: Promise<T>): Promise<T> {
  const answer = await within(
    ANSWER_MS,
    command.then((value) => ({ value })),
  );
  if (!answer) throw new Error('The Redis server does not answer.');
  return answer.value;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
