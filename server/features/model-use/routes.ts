import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { modelUsageQuerySchema, modelUsageSchema } from '#shared/insights';
import type { ModelUseService } from './service.ts';

export const modelUseRoutes =
  (modelUse: ModelUseService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/insights/usage',
      {
        schema: {
          tags: ['Conversations'],
          summary: 'Tokens that language models took, and what they cost, month by month',
          description:
            'For owners of the whole installation, for others of their own account; the latest month first. Months and days are those of UTC, costs in US dollars by the prices of their time, null where there were none. `today.isSpent`: no more tokens are left today (`LLM_TOKENS_PER_DAY`), so that the embedded reader answers; the limit itself is for owners. Tokens are those that the server of a model counts; where it counts none, as of answers that were broken off, four characters are one.',
          querystring: modelUsageQuerySchema,
          response: { 200: modelUsageSchema },
        },
      },
      ({ user, query }) => modelUse.usage(user, query.months),
    );
  };
