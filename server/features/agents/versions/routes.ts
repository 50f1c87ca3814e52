import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { key, member, scopeOf } from '#server/lib/principal';
import { agentVersionSchema, versionListQuerySchema, wholeVersionSchema } from '#shared/agent-versions';
import { agentSchema } from '#shared/agents';
import { NEXT_CURSOR_HEADER } from '#shared/conversations';
import type { VersionsService } from './service.ts';

/** Any string: a malformed id is answered like a missing one. */
const agentParamsSchema = z.object({ id: z.string() });
const paramsSchema = agentParamsSchema.extend({
  version: z.coerce.number().int().min(1).max(2_147_483_647),
});

/** `/api/agents/{id}/versions`: list, read and restore versions. */
export const versionsRoutes =
  (versions: VersionsService): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Agents'];

    app.get(
      '/api/agents/:id/versions',
      {
        config: { serves: [member(), key('agents:read')] },
        schema: {
          tags,
          summary: 'What an agent was after each change, newest first',
          description: `Without the contents. When there are more, the header \`${NEXT_CURSOR_HEADER}\` holds the \`cursor\` of the next page.`,
          params: agentParamsSchema,
          querystring: versionListQuerySchema,
          response: { 200: z.array(agentVersionSchema) },
        },
      },
      async (request, reply) => {
        const page = await versions.list(scopeOf(request.principal), request.params.id, request.query);
        if (page.nextCursor) reply.header(NEXT_CURSOR_HEADER, page.nextCursor);
        return page.versions;
      },
    );

    app.get(
      '/api/agents/:id/versions/:version',
      {
        config: { serves: [member(), key('agents:read')] },
        schema: {
          tags,
          summary: 'A version of an agent with its content',
          params: paramsSchema,
          response: { 200: wholeVersionSchema },
        },
      },
      (request) => versions.get(scopeOf(request.principal), request.params.id, request.params.version),
    );

    app.post(
      '/api/agents/:id/versions/:version/restore',
      {
        config: { serves: [member('supervisor'), key('agents:write')] },
        schema: {
          tags,
          summary: 'Go back to a version of an agent, which becomes its newest',
          description:
            'Brings back what the agent says of itself. Its documents and actions stay as they are; versions name them so that one sees what differed.',
          params: paramsSchema,
          response: { 200: agentSchema },
        },
      },
      (request) => versions.restore(scopeOf(request.principal), request.params.id, request.params.version),
    );
  };
