import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { type ServerStatus, serverStatusSchema } from '#shared/status';

/** Something the server cannot do its work without, by the name an operator knows it by. */
export interface Readiness {
  name: string;
  /** Whether nobody can even write and be answered without it, as things are now. */
  forText(): boolean;
  /** Everything goes on without it, though less well: it is told as degraded, and never as missing. */
  isSpare?: true;
  /** Rejects, or answers a sentence, while it is not ready. */
  check(): Promise<string | null>;
}

/** As long as a load balancer can do with what it was told. */
const MOMENT_MS = 1_000;

/** By its name, each in one sentence. */
const partsSchema = z.record(z.string(), z.string());
const readySchema = z.object({
  status: z.literal('ready'),
  degraded: partsSchema
    .optional()
    .describe('What is away and can be done without; with `for=text`: all that is missing beyond text.'),
});
const notReadySchema = z
  .object({
    status: z.literal('not ready'),
    missing: partsSchema,
    text: z.boolean().describe('Whether customers can write and are answered all the same.'),
  })
  .describe('Something is missing.');

const tags = ['Server'];

/** `/health` for "restart me if this fails", `/ready` for "send me customers". */
export const healthRoutes =
  (readiness: readonly Readiness[]): FastifyPluginAsyncZod =>
  async (app) => {
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
          summary: 'Everything is there, or with `for=text` everything that text needs',
          security: [],
          querystring: z.object({ for: z.enum(['text'], 'Use for=text, or nothing.').optional() }),
          response: { 200: readySchema, 503: notReadySchema },
        },
      },
      async (request, reply) => {
        const checks = await Promise.all(
          readiness.map(async ({ name, forText, isSpare = false, check }) => {
            const part = { name, forText: forText(), isSpare };
            try {
              return { ...part, missing: await check() };
            } catch (error) {
              request.log.warn({ err: error, part: name }, 'not ready');
              return { ...part, missing: 'It does not answer.' };
            }
          }),
        );
        const away = checks.filter(({ missing }) => missing !== null);
        const named = (some: typeof away) =>
          Object.fromEntries(some.map((part) => [part.name, part.missing ?? '']));
        const text = !away.some(({ forText }) => forText);
        if (away.length === 0) return { status: 'ready' as const };
        const isReady = away.every(({ isSpare }) => isSpare) || (text && request.query.for === 'text');
        if (isReady) return { status: 'ready' as const, degraded: named(away) };
        return reply.code(503).send({ status: 'not ready' as const, missing: named(away), text });
      },
    );
  };

/** `/api/status` for the page. */
export const statusRoutes =
  (status: () => ServerStatus): FastifyPluginAsyncZod =>
  async (app) => {
    app.get(
      '/api/status',
      {
        schema: {
          tags,
          summary: 'Which brain and voice answer on this server',
          response: { 200: serverStatusSchema },
        },
      },
      async () => status(),
    );
  };

/**
 * Asks at most once a moment, however many want to know; those who come meanwhile share the answer.
 * @param ms how long a moment is
 * @param check rejects while what it asks for is away, which is kept as long
 */
export function keptForAMoment<T>(
  check: () => Promise<T>,
  now: () => number = Date.now,
  ms = MOMENT_MS,
): () => Promise<T> {
  let kept: { answer: Promise<T>; until: number } | null = null;
  return () => {
    if (!kept || kept.until <= now()) kept = { answer: check(), until: now() + ms };
    return kept.answer;
  };
}
