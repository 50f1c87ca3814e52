import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { statsSchema } from '#shared/conversations';
import type { InsightsService } from './service.ts';

/** What a user's conversations add up to. */
export const insightsRoutes =
  (insights: InsightsService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/conversations/stats/user/:userId',
      {
        schema: {
          tags: ['Conversations'],
          summary: "Totals over the signed-in user's conversations",
          params: z.object({ userId: z.string() }),
          response: { 200: statsSchema },
        },
      },
      (request) => insights.stats(request.user._id, request.params.userId),
    );
  };
