import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';

/**
 * The real limits over an hour: what is too much within a window of seconds takes a slow machine longer to send.
 * @param share of the real counts
 */
export const patientLimits =
  (share = 1): LimiterFactory =>
  (name, { count }) =>
    memoryLimiters(name, { count: count * share, windowS: 3600 });
