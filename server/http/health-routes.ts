import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { sentenceOf } from '#shared/refusals/refusal';
import { type ServerStatus, serverStatusSchema } from '#shared/status';

/** Something that the server needs, by its name for operators. */
export interface Readiness {
  name: string;
  /** Whether even typed messages cannot be answered without it, with the current settings. */
  forText(): boolean;
  /** Everything continues without it, though less well: reported as degraded, never as missing. */
  isSpare?: true;
  /** Rejects, or resolves with a sentence, while it is not ready. */
  check(): Promise<string | null>;
}

/** How long an answer is reused for load balancers. */
const MOMENT_MS = 1_000;

/** Names, each with one sentence. */
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

/** `/health`: restart the server if this fails. `/ready`: send customers only if this succeeds. */
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
          querystring: z.object({ for: z.enum(['text'], sentenceOf('common.ready-for')).optional() }),
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
 * Calls `check` at most once per period; concurrent callers share the result.
 * @param ms length of the period
 * @param check its rejection is kept for the period, too
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
