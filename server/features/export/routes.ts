import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ExportService } from './service.ts';

/** An archive reads everything there is: nobody needs one every minute. */
const EXPORTS = { count: 10, windowS: 3600 };

const archive = {
  description:
    'A tar archive: `account.json`, `agents.json`, `documents/{id}.json`, `conversations/{id}.json`, `recordings/{conversation}/{id}.{type}`.',
  content: { 'application/x-tar': { schema: z.string().meta({ format: 'binary' }) } },
};

/** `GET /api/auth/export`: everything of the signed-in user, to take along. */
export const exportRoutes =
  (exports: ExportService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/auth/export',
      {
        // It would be read to its end for nobody.
        exposeHeadRoute: false,
        config: { perUser: EXPORTS },
        schema: {
          tags: ['Accounts'],
          summary: 'Everything of the signed-in user, as an archive',
          response: { 200: archive },
        },
      },
      async (request, reply) => sendArchive(reply, await exports.begin(request.user, request.address)),
    );
  };

function sendArchive(reply: FastifyReply, pieces: AsyncIterable<Uint8Array>): FastifyReply {
  const day = new Date().toISOString().slice(0, 10);
  return reply
    .type('application/x-tar')
    .header('content-disposition', `attachment; filename="sigma-${day}.tar"`)
    .header('cache-control', 'no-store')
    .send(Readable.from(pieces, { objectMode: false }));
}
