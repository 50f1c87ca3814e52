import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { installationOwner } from '#server/lib/principal';
import { auditEntrySchema, auditQuerySchema } from '#shared/audit';
import { NEXT_CURSOR_HEADER } from '#shared/conversations';
import type { AuditService } from './service.ts';

/** `/api/audit`: the security log. */
export const auditRoutes =
  (audit: AuditService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/audit',
      {
        config: { serves: [installationOwner()] },
        schema: {
          tags: ['Installation'],
          summary: 'The security log, newest first',
          description: `For owners. When there are more, the header \`${NEXT_CURSOR_HEADER}\` holds the \`cursor\` of the next page.`,
          querystring: auditQuerySchema,
          response: { 200: z.array(auditEntrySchema) },
        },
      },
      async (request, reply) => {
        const { entries, nextCursor } = await audit.list(request.query);
        if (nextCursor) reply.header(NEXT_CURSOR_HEADER, nextCursor);
        return entries;
      },
    );
  };
