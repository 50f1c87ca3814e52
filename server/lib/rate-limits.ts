import { type RateLimiterAbstract, RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from './errors.ts';

/**
 * Makes a counter: so many times per key within a window that begins with the first one.
 * @param limit `here`: what this instance takes is counted by itself, however many there are
 */
export type LimiterFactory = (
  name: string,
  limit: { count: number; windowS: number; here?: boolean },
) => RateLimiterAbstract;

/** Counters in this process's memory; those of several instances come from what they share (`engines/shared-state`). */
export const memoryLimiters: LimiterFactory = (name, { count, windowS }) =>
  new RateLimiterMemory({ keyPrefix: name, points: count, duration: windowS });

/**
 * Counts what somebody asks for.
 * @param points how much of the limit it takes
 * @throws AppError rate-limited with the time to wait; what `excess` makes of it where that says more
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
