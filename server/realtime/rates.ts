import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/errors';
import type { LimiterFactory } from '#server/rate-limits';
import type { EventRate, RealtimeEvent } from './feature.ts';

/** Over everything a connection sends but streams, also what no feature knows. A person needs a handful. */
const PER_SOCKET: EventRate = { count: 200, windowMs: 10_000 };
/** Who goes on sending in spite of refusals is no page of ours. */
const FLOOD_FACTOR = 5;

/** A connection that sends so much that it is cut off. */
export class Flood extends Error {
  override readonly name = 'Flood';
}

/** Counts what connections and users send. */
export class EventRates {
  readonly #limiter: LimiterFactory;
  readonly #perSocket: RateLimiterAbstract;
  readonly #perUser = new Map<string, RateLimiterAbstract>();

  constructor(limiter: LimiterFactory) {
    this.#limiter = limiter;
    this.#perSocket = limiter('socket', inSeconds(PER_SOCKET));
  }

  /**
   * Counts one event.
   * @param event what a feature says of it; none for an event that no feature knows
   * @throws AppError rate-limited, or Flood
   */
  async count(
    name: string,
    event: RealtimeEvent | undefined,
    payload: unknown,
    from: { socketId: string; userId: string },
  ) {
    if (!event?.weigh) await consume(this.#perSocket, from.socketId, 1);
    if (!event) return;
    const perUser = this.#perUser.get(name) ?? this.#limiter(`event:${name}`, inSeconds(event.perUser));
    this.#perUser.set(name, perUser);
    await consume(perUser, from.userId, event.weigh?.(payload) ?? 1);
  }
}

const inSeconds = ({ count, windowMs }: EventRate) => ({ count, windowS: windowMs / 1000 });

async function consume(limits: RateLimiterAbstract, key: string, points: number): Promise<void> {
  try {
    await limits.consume(key, points);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    if (reached.consumedPoints > limits.points * FLOOD_FACTOR)
      throw new Flood('A connection sends without end.');
    throw rateLimited(reached.msBeforeNext);
  }
}
