import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ServerStatus, serverStatusSchema } from '#shared/status';

/** Something the server cannot do its work without, by the name an operator knows it by. */
export interface Readiness {
  name: string;
  /** Rejects, or answers a sentence, while it is not ready. */
  check(): Promise<string | null>;
}

/** What is missing, by its name, each in one sentence. */
const notReadySchema = z
  .object({ status: z.literal('not ready'), missing: z.record(z.string(), z.string()) })
  .describe('Something is missing.');

/** `/health` for "restart me if this fails", `/ready` for "send me customers", `/api/status` for the page. */
export const healthRoutes =
  (parts: { readiness: readonly Readiness[]; status(): ServerStatus }): FastifyPluginAsyncZod =>
  async (app) => {
    const tags = ['Server'];

    app.get(
      '/health',
      {
        schema: {
          tags,
          summary: 'The process serves',
          security: [],
          response: { 200: z.object({ status: z.literal('ok') }) },
        },
      },
      async () => ({ status: 'ok' as const }),
    );

    app.get(
      '/ready',
      {
        schema: {
          tags,
          summary: 'Everything is there',
          security: [],
          response: { 200: z.object({ status: z.literal('ready') }), 503: notReadySchema },
        },
      },
      async (request, reply) => {
        const checks = await Promise.all(
          parts.readiness.map(async ({ name, check }) => {
            try {
              return { name, missing: await check() };
            } catch (error) {
              request.log.warn({ err: error, part: name }, 'not ready');
              return { name, missing: 'It does not answer.' };
            }
          }),
        );
        const missing = Object.fromEntries(
          checks.flatMap(({ name, missing }) => (missing ? [[name, missing]] : [])),
        );
        if (Object.keys(missing).length === 0) return { status: 'ready' as const };
        return reply.code(503).send({ status: 'not ready' as const, missing });
      },
    );

    app.get(
      '/api/status',
      {
        schema: {
          tags,
          summary: 'Which brain and voice answer on this server',
          response: { 200: serverStatusSchema },
        },
      },
      async () => parts.status(),
    );
  };
