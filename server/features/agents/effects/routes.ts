import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { member, scopeOf } from '#server/lib/principal';
import { whileConnected } from '#server/lib/while-connected';
import { effectRequestSchema, effectSchema } from '#shared/effects';
import type { EffectsService } from './service.ts';

/** An agent's longest texts, and documents with some two million characters. */
const EFFECT_BODY_BYTES = 10_000_000;

/** `/api/agents/{id}/effects`: the effect of a change, before it is saved. */
export const effectsRoutes =
  (effects: EffectsService): FastifyPluginAsyncZod =>
  async (app) => {
    app.post(
      '/api/agents/:id/effects',
      {
        config: { serves: [member('supervisor')], perUser: { count: 20, windowS: 60 } },
        bodyLimit: EFFECT_BODY_BYTES,
        schema: {
          tags: ['Agents'],
          summary: 'See what a change would do to the answers; nothing is stored',
          description:
            'Answers the last 200 questions of customers as the agent is and as it would be, with the embedded reader, for at most 18 seconds. `asked` says how many were answered both ways, `answers` holds those that differ.',
          // Any string: a malformed id is answered like a missing one.
          params: z.object({ id: z.string() }),
          body: effectRequestSchema,
          response: { 200: effectSchema },
        },
      },
      (request, reply) =>
        effects.see(scopeOf(request.principal), request.params.id, request.body, whileConnected(reply)),
    );
  };
