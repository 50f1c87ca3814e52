import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { limitNetworks, type NetworkLimits } from '#server/lib/network-limits';
import { type LimiterFactory, take } from '#server/lib/rate-limits';
import type { EventRate, RealtimeEvent } from './feature.ts';

/** All events of a connection except streams, unknown ones included. A person needs a handful. */
const PER_SOCKET: EventRate = { count: 200, windowMs: 10_000 };
/** A client that continues this far beyond the limit, in spite of refusals, is not our page. */
const FLOOD_FACTOR = 5;

/** A connection that sends so much that it is cut off. */
export class Flood extends Error {
  override readonly name = 'Flood';
}

/**
 * Bytes within ten seconds. `parsed`: JSON packets; the longest, an agent's information in a script of three
 * bytes per letter, comes when a call begins. `any`: everything, including sound, which is never parsed.
 */
const BYTES = {
  parsed: { account: 6_000_000, address: 24_000_000 },
  any: { account: 40_000_000, address: 160_000_000 },
};
const BYTES_WINDOW_S = 10;

/** All tabs of an account, or of everyone behind one address, reconnect at once when the server returns. */
const SIGN_INS = { account: { count: 120, windowS: 60 }, address: { count: 600, windowS: 60 } };

/** Limits sign-ins to the channel. */
export class SignInRates {
  readonly #perAddress: NetworkLimits;
  readonly #perUser: RateLimiterAbstract;

  constructor(limiter: LimiterFactory) {
    this.#perAddress = limitNetworks(limiter, 'socket-address', SIGN_INS.address);
    this.#perUser = limiter('socket-user', SIGN_INS.account);
  }

  /** Before the user is looked up. @throws AppError rate-limited */
  knock(address: string): Promise<void> {
    return this.#perAddress.take(address);
  }

  /** @throws AppError rate-limited */
  known(account: string): Promise<void> {
    return take(this.#perUser, account);
  }
}

/**
 * Limits events of connections and users. Counts per connection, and of sound, which comes many times a
 * second, stay in this process: no request to another server between two pieces of sound. An account's
 * microphones are counted over all instances.
 */
export class EventRates {
  readonly #limiter: LimiterFactory;
  readonly #perSocket: RateLimiterAbstract;
  readonly #perUser = new Map<string, RateLimiterAbstract>();

  constructor(limiter: LimiterFactory) {
    this.#limiter = limiter;
    this.#perSocket = limiter('socket', { ...inSeconds(PER_SOCKET), here: true });
  }

  /**
   * Counts one event.
   * @param event the feature's definition; absent for unknown events
   * @throws AppError rate-limited, or Flood
   */
  async count(
    name: string,
    event: RealtimeEvent | undefined,
    payload: unknown,
    from: { socketId: string; account: string },
  ) {
    if (!event?.weigh) await take(this.#perSocket, from.socketId, 1, flood);
    if (!event) return;
    const perUser =
      this.#perUser.get(name) ??
      this.#limiter(`event:${name}`, { ...inSeconds(event.perUser), here: event.weigh !== undefined });
    this.#perUser.set(name, perUser);
    await take(perUser, from.account, event.weigh?.(payload) ?? 1, flood);
  }
}

/** Limits bytes before they are parsed: in this process, which would do the work. */
export class ByteRates {
  readonly #limits: Record<
    keyof typeof BYTES,
    { account: RateLimiterAbstract; address: RateLimiterAbstract }
  >;

  constructor(limiter: LimiterFactory) {
    const limit = (kind: keyof typeof BYTES, of: 'account' | 'address') =>
      limiter(`socket-bytes-${kind}-${of}`, { count: BYTES[kind][of], windowS: BYTES_WINDOW_S, here: true });
    const limits = (kind: keyof typeof BYTES) => ({
      account: limit(kind, 'account'),
      address: limit(kind, 'address'),
    });
    this.#limits = { parsed: limits('parsed'), any: limits('any') };
  }

  /** @throws AppError rate-limited, or Flood */
  parsed(bytes: number, from: { account: string; address: string }): Promise<void> {
    return this.#count(this.#limits.parsed, bytes, from, flood);
  }

  /** @throws Flood: input that is not parsed cannot be refused */
  any(bytes: number, from: { account: string; address: string }): Promise<void> {
    return this.#count(this.#limits.any, bytes, from, () => new Flood('A connection sends without end.'));
  }

  async #count(
    limits: { account: RateLimiterAbstract; address: RateLimiterAbstract },
    bytes: number,
    from: { account: string; address: string },
    excess: (timesTooMuch: number) => Error | null,
  ): Promise<void> {
    await take(limits.account, from.account, bytes, excess);
    await take(limits.address, from.address, bytes, excess);
  }
}

const inSeconds = ({ count, windowMs }: EventRate) => ({ count, windowS: windowMs / 1000 });

const flood = (timesTooMuch: number) =>
  timesTooMuch > FLOOD_FACTOR ? new Flood('A connection sends without end.') : null;
