import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { contactSchema, type Sentiment, statsSchema } from '#shared/conversations';
import { dayOfCallsSchema, type Period, urgentConversationSchema } from '#shared/insights';
import { logProblem } from '#web/lib/log';
import { requestData } from '#web/lib/server/api-client';
import { ApiError } from '#web/lib/server/api-error';

/** Laxer than the contract: an invalid time reads "Never", a label not sent counts none, one unknown is neutral. */
const shownStatsSchema = statsSchema.extend({
  lastActivity: z.string().nullable().catch(null),
  sentimentBreakdown: z.record(z.string(), z.number()).catch({}),
  /** null: not known. */
  outcomeBreakdown: z.record(z.string(), z.number()).nullable().catch(null),
  /** Empty when the server keeps none. */
  daily: z.array(dayOfCallsSchema).catch([]),
  /** null: not known. */
  urgentConversations: z
    .array(urgentConversationSchema.extend({ when: z.string() }))
    .nullable()
    .catch(null),
  /** The newest that were left to a colleague, newest first; null: not known. */
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

/** What is urgent should not wait for somebody to reload the page. */
const REFRESH_MS = 60_000;

/**
 * The user's figures: null while they are loading, zeros when that failed, which is logged only.
 * Another period keeps the figures of the one before until it has come.
 */
export function useStats(userId: string, period: Period): ShownStats | null {
  const timeZone = viewersTimeZone();
  const { data, error } = useQuery({
    queryKey: ['stats', userId, timeZone, period],
    queryFn: ({ signal }) => fetchStats(userId, timeZone, period, signal),
    placeholderData: keepPreviousData,
    // A call that has just ended must be counted when one comes back here.
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
    // A browser may know a time zone that the server has not heard of yet: then the days are those of UTC.
    if (!timeZone || !(error instanceof ApiError) || !error.fields.tz) throw error;
    return fetchStats(userId, null, period, signal);
  }
}

/** IANA name, or null where the browser does not tell it. */
function viewersTimeZone(): string | null {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone || null;
}

/** Whether nobody has called yet, as far as the server knows: figures that could not be loaded are zeros too. */
export const isBeforeFirstCall = (stats: ShownStats | null): boolean =>
  stats !== null && stats !== NOTHING && stats.totalCalls === 0;
