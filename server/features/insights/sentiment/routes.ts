import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { contactScopeOf } from '#server/lib/principal';
import type { SentimentService } from './service.ts';

/** Relabels a user's conversations. */
export const sentimentRoutes =
  (sentiment: SentimentService): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/api/conversations/reanalyze-sentiment',
      {
        schema: {
          tags: ['Conversations'],
          summary: 'Label all conversations anew',
          description:
            'Goes through all of the signed-in user’s conversations. A second request while it runs waits for the same run; a client that goes away ends it, and what was done until then stays.',
          body: z.object({}).nullish(),
          response: { 200: z.object({ updatedConversations: z.number().int() }) },
        },
      },
      async (request, reply) => {
        const gone = new AbortController();
        const onClose = () => gone.abort(new Error('The client went away.'));
        reply.raw.once('close', onClose);
        try {
          return {
            updatedConversations: await sentiment.reanalyze(contactScopeOf(request.principal), gone.signal),
          };
        } finally {
          reply.raw.off('close', onClose);
        }
      },
    );
  };
