import { type RateLimiterAbstract, RateLimiterMemory } from 'rate-limiter-flexible';

/** Makes a counter: so many times per key within a window that begins with the first one. */
export type LimiterFactory = (name: string, limit: { count: number; windowS: number }) => RateLimiterAbstract;

/**
 * Counters in this process's memory. With several instances another factory, over Redis, takes its place: every
 * limit is written against what both share.
 */
export const memoryLimiters: LimiterFactory = (name, { count, windowS }) =>
  new RateLimiterMemory({ keyPrefix: name, points: count, duration: windowS });
