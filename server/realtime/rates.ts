import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/errors';
import type { LimiterFactory } from '#server/rate-limits';
import type { EventRate } from './feature.ts';

/** Over everything a connection sends, also what no feature knows. A person needs a handful. */
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
   * @param rate how often one user may send it; none for an event that no feature knows
   * @throws AppError rate-limited, or Flood
   */
  async count(event: string, rate: EventRate | undefined, from: { socketId: string; userId: string }) {
    await consume(this.#perSocket, from.socketId);
    if (!rate) return;
    const perUser = this.#perUser.get(event) ?? this.#limiter(`event:${event}`, inSeconds(rate));
    this.#perUser.set(event, perUser);
    await consume(perUser, from.userId);
  }
}

const inSeconds = ({ count, windowMs }: EventRate) => ({ count, windowS: windowMs / 1000 });

async function consume(limits: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limits.consume(key);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    if (reached.consumedPoints > limits.points * FLOOD_FACTOR)
      throw new Flood('A connection sends without end.');
    throw rateLimited(reached.msBeforeNext);
  }
}
