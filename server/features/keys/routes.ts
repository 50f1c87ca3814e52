import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { member } from '#server/lib/principal';
import { apiKeySchema, keyRequestSchema, newApiKeySchema } from '#shared/keys';
import type { KeysService } from './service.ts';

/** `/api/keys`: keys by which programs ask in the name of a workspace. For its owners. */
export const keysRoutes =
  (keys: KeysService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Keys'];
    const config = { serves: [member('owner')] };

    app.get(
      '/api/keys',
      {
        config,
        schema: {
          tags,
          summary: 'The keys of the workspace, the newest first',
          response: { 200: z.array(apiKeySchema) },
        },
      },
      (request) => keys.list(request.user),
    );

    app.post(
      '/api/keys',
      {
        config,
        schema: {
          tags,
          summary: 'Make a key',
          description:
            'The answer holds the key, which is told only here: send it as `Authorization: Bearer sk_…`. It opens what its scopes say, in the whole workspace.',
          body: keyRequestSchema,
          response: { 201: newApiKeySchema },
        },
      },
      async (request, reply) =>
        reply.code(201).send(await keys.make(request.user, request.body, request.address)),
    );

    app.delete(
      '/api/keys/:id',
      {
        config,
        schema: {
          tags,
          summary: 'Delete a key, which opens nothing from then on',
          params: z.object({ id: z.string() }),
          response: { 204: z.void() },
        },
      },
      async (request, reply) => {
        await keys.delete(request.user, request.params.id, request.address);
        return reply.code(204).send();
      },
    );
  };
