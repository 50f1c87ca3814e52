import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/errors';
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
  readonly #isOn: boolean;
  readonly #perSocket = limiter('socket', PER_SOCKET);
  readonly #perUser = new Map<string, RateLimiterMemory>();

  /** @param isOn false: everything is let through */
  constructor(isOn: boolean) {
    this.#isOn = isOn;
  }

  /**
   * Counts one event.
   * @param rate how often one user may send it; none for an event that no feature knows
   * @throws AppError rate-limited, or Flood
   */
  async count(event: string, rate: EventRate | undefined, from: { socketId: string; userId: string }) {
    if (!this.#isOn) return;
    await consume(this.#perSocket, from.socketId);
    if (!rate) return;
    const perUser = this.#perUser.get(event) ?? limiter(event, rate);
    this.#perUser.set(event, perUser);
    await consume(perUser, from.userId);
  }
}

const limiter = (keyPrefix: string, { count, windowMs }: EventRate) =>
  new RateLimiterMemory({ keyPrefix, points: count, duration: windowMs / 1000 });

async function consume(limits: RateLimiterMemory, key: string): Promise<void> {
  try {
    await limits.consume(key);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    if (reached.consumedPoints > limits.points * FLOOD_FACTOR)
      throw new Flood('A connection sends without end.');
    throw rateLimited(reached.msBeforeNext);
  }
}
