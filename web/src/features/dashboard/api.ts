import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { contactSchema, type Sentiment, statsSchema } from '#shared/conversations';
import { dayOfCallsSchema, type Period, urgentConversationSchema } from '#shared/insights';
import { logProblem } from '#web/lib/log';
import { requestData } from '#web/lib/server/api-client';
import { ApiError } from '#web/lib/server/api-error';

/**
 * Looser than the contract: an invalid time reads "Never", a missing label counts as none, an unknown one as neutral.
 */
const shownStatsSchema = statsSchema.extend({
  lastActivity: z.string().nullable().catch(null),
  sentimentBreakdown: z.record(z.string(), z.number()).catch({}),
  /** null: unknown. */
  outcomeBreakdown: z.record(z.string(), z.number()).nullable().catch(null),
  /** Empty if the server keeps none. */
  daily: z.array(dayOfCallsSchema).catch([]),
  /** null: unknown. */
  urgentConversations: z
    .array(urgentConversationSchema.extend({ when: z.string() }))
    .nullable()
    .catch(null),
  /** The newest conversations left to a colleague, newest first; null: unknown. */
  needsColleague: z
    .array(
      urgentConversationSchema.extend({
        when: z.string(),
        contact: contactSchema.optional().catch(undefined),
      }),
    )
    .nullable()
    .catch(null),
});
export type ShownStats = z.infer<typeof shownStatsSchema>;
export type ShownDay = { date: string; calls: number; sentiment: Readonly<Record<Sentiment, number>> };

const NOTHING: ShownStats = {
  totalCalls: 0,
  averageDuration: 0,
  lastActivity: null,
  totalMessages: 0,
  companiesInteractedWith: [],
  sentimentBreakdown: {},
  outcomeBreakdown: null,
  daily: [],
  urgentConversations: null,
  needsColleague: null,
};

/** Urgent conversations should not wait for a reload of the page. */
const REFRESH_MS = 60_000;

/**
 * The user's figures: null while loading, zeros after a failure, which is only logged. Another period keeps the old
 * figures until its own arrive.
 */
export function useStats(userId: string, period: Period): ShownStats | null {
  const timeZone = viewersTimeZone();
  const { data, error } = useQuery({
    queryKey: ['stats', userId, timeZone, period],
    queryFn: ({ signal }) => fetchStats(userId, timeZone, period, signal),
    placeholderData: keepPreviousData,
    // A call that has just ended must be counted on return.
    staleTime: 0,
    refetchInterval: REFRESH_MS,
  });
  useEffect(() => {
    if (error) logProblem('The statistics could not be loaded.', error);
  }, [error]);
  return data ?? (error ? NOTHING : null);
}

async function fetchStats(
  userId: string,
  timeZone: string | null,
  period: Period,
  signal: AbortSignal,
): Promise<ShownStats> {
  const query = new URLSearchParams({ days: String(period), ...(timeZone ? { tz: timeZone } : {}) });
  const path = `/api/conversations/stats/user/${encodeURIComponent(userId)}?${query}`;
  try {
    return await requestData(path, { schema: shownStatsSchema, signal });
  } catch (error) {
    // A browser may know a time zone that the server does not: then days are in UTC.
    if (!timeZone || !(error instanceof ApiError) || !error.fields.tz) throw error;
    return fetchStats(userId, null, period, signal);
  }
}

/** IANA name, or null if the browser does not tell it. */
function viewersTimeZone(): string | null {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || null;
}

/** Whether no call is known yet: figures that failed to load are zeros, too. */
export const isBeforeFirstCall = (stats: ShownStats | null): boolean =>
  stats !== null && stats !== NOTHING && stats.totalCalls === 0;
