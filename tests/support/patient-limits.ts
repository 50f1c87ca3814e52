import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';

/**
 * The real limits over an hour: a slow machine cannot send too much within seconds.
 * @param share of the real counts
 */
export const patientLimits =
  (share = 1): LimiterFactory =>
  (name, { count }) =>
    memoryLimiters(name, { count: count * share, windowS: 3600 });
