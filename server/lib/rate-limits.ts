import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from './errors.ts';

/**
 * Creates a counter: a number of times per key, within a window that begins with the first.
 * @param limit `here`: count for this instance alone, however many there are
 */
export type LimiterFactory = (
  name: string,
  limit: { count: number; windowS: number; here?: boolean },
) => RateLimiterAbstract;

/** Counters in this process's memory; those shared by instances come from `engines/shared-state`. */
export const memoryLimiters: LimiterFactory = (name, { count, windowS }) =>
  new RateLimiterMemory({ keyPrefix: name, points: count, duration: windowS });

/**
 * Counts a request against a limit.
 * @param points its weight
 * @throws AppError rate-limited with the time to wait, or the error that `excess` makes of it
 */
export async function take(
  limits: RateLimiterAbstract,
  key: string,
  points = 1,
  excess: (timesTooMuch: number) => Error | null = () => null,
): Promise<void> {
  try {
    await limits.consume(key, points);
  } catch (reached) {
    if (!(reached instanceof RateLimiterRes)) throw reached;
    throw excess(reached.consumedPoints / limits.points) ?? rateLimited(reached.msBeforeNext);
  }
}
