import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ExportService } from './service.ts';

/** An archive reads all of the account's data, so a few an hour suffice. */
const EXPORTS = { count: 10, windowS: 3600 };

const archive = {
  description:
    'A tar archive: `account.json`, `agents.json`, `documents/{id}.json`, `conversations/{id}.json`, `recordings/{conversation}/{id}.{type}`.',
  content: { 'application/x-tar': { schema: z.string().meta({ format: 'binary' }) } },
};

/** `GET /api/auth/export`: all data of the signed-in user, as an archive. */
export const exportRoutes =
  (exports: ExportService): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/auth/export',
      {
        // A HEAD request would read the whole archive and discard it.
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
