import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { contactScopeOf } from '#server/lib/principal';
import { insightsSchema, statsQuerySchema } from '#shared/insights';
import type { InsightsService } from './service.ts';

/** Statistics of a user's conversations. */
export const insightsRoutes =
  (insights: InsightsService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/conversations/stats/user/:userId',
      {
        schema: {
          tags: ['Conversations'],
          summary:
            "Totals over the signed-in user's conversations, calls per day, what is urgent, who waits for a colleague",
          description:
            'Totals count every conversation. `daily` holds the days of the period in the time zone `tz`, each with the conversations that began on it. Outcomes are counted by conversation, each as the strongest of its turns.',
          params: z.object({ userId: z.string() }),
          querystring: statsQuerySchema,
          response: { 200: insightsSchema },
        },
      },
      (request) => insights.stats(contactScopeOf(request.principal), request.params.userId, request.query),
    );
  };
