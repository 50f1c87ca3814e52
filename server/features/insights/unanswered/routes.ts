import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { key, member, scopeOf } from '#server/lib/principal';
import {
  answeredNowSchema,
  unansweredQuerySchema,
  unansweredSchema,
  writtenAnswerSchema,
} from '#shared/insights';
import type { UnansweredService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const paramsSchema = z.object({ id: z.string() });

/** `/api/insights/unanswered`: list, write an answer, dismiss. */
export const unansweredRoutes =
  (unanswered: UnansweredService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Insights'];

    app.get(
      '/api/insights/unanswered',
      {
        config: { serves: [member('supervisor'), key('insights:read')] },
        schema: {
          tags,
          summary: 'Questions that stayed unanswered, grouped by meaning',
          description:
            'What agents declined, or offered something for that was not taken up. The most frequent first; of those asked equally often, the one asked last.',
          querystring: unansweredQuerySchema,
          response: { 200: z.array(unansweredSchema) },
        },
      },
      (request) => unanswered.list(scopeOf(request.principal), request.query.limit),
    );

    app.post(
      '/api/insights/unanswered/:id/answer',
      {
        config: { serves: [member('supervisor')], perUser: { count: 30, windowS: 60 } },
        schema: {
          tags,
          summary: "Write the answer into the agent's information, and hear how it answers now",
          description:
            'The same again changes nothing; another answer takes the place of the first. Of the demo agent, whose information cannot be changed, it is refused with 409.',
          params: paramsSchema,
          body: writtenAnswerSchema,
          response: { 200: answeredNowSchema },
        },
      },
      async (request, reply) => {
        const gone = new AbortController();
        const onClose = () => gone.abort(new Error('The client went away.'));
        reply.raw.once('close', onClose);
        try {
          const { principal, params, body } = request;
          return await unanswered.answer(scopeOf(principal), params.id, body.answer, gone.signal);
        } finally {
          reply.raw.off('close', onClose);
        }
      },
    );

    app.delete(
      '/api/insights/unanswered/:id',
      {
        config: { serves: [member('supervisor')] },
        schema: {
          tags,
          summary: 'Take a question off the list without an answer; asked again, it comes back',
          params: paramsSchema,
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await unanswered.dismiss(scopeOf(request.principal), request.params.id);
        return reply.code(204).send();
      },
    );
  };
