import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { z } from 'zod';
import { statsSchema } from '#shared/conversations';
import { requestData } from '#web/lib/api-client';
import { logProblem } from '#web/lib/log';

/** Laxer than the contract: an invalid time reads "Never", a label not sent counts none, one unknown is neutral. */
const shownStatsSchema = statsSchema.extend({
  lastActivity: z.string().nullable().catch(null),
  sentimentBreakdown: z.record(z.string(), z.number()).catch({}),
});
export type ShownStats = z.infer<typeof shownStatsSchema>;

const NOTHING: ShownStats = {
  totalCalls: 0,
  averageDuration: 0,
  lastActivity: null,
  totalMessages: 0,
  companiesInteractedWith: [],
  sentimentBreakdown: {},
};

/** The user's figures: null while they are loading, zeros when that failed, which is logged only. */
export function useStats(userId: string): ShownStats | null {
  const { data, error } = useQuery({
    queryKey: ['stats', userId],
    queryFn: ({ signal }) =>
      requestData(`/api/conversations/stats/user/${encodeURIComponent(userId)}`, {
        schema: shownStatsSchema,
        signal,
      }),
    // A call that has just ended must be counted when one comes back here.
    staleTime: 0,
  });
  useEffect(() => {
    if (error) logProblem('The statistics could not be loaded.', error);
  }, [error]);
  return data ?? (error ? NOTHING : null);
}
