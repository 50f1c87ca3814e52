import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { AppError, idempotencyConflict, invalidInput } from '#server/lib/errors';
import type { IdempotencyRepository } from './repository.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A POST route that creates something: a repeated Idempotency-Key gets the first result. */
    idempotent?: boolean;
  }
}

const LIFETIME_MS = 24 * 60 * 60 * 1000;
/** A request unanswered for this long was in a process that is gone: none takes longer. */
const ABANDONED_MS = 60_000;
const POLL_MS = 100;
/** How long a duplicate waits for the first one's answer. */
const PATIENCE_MS = 15_000;

/**
 * Makes routes with `config.idempotent` carry out an `Idempotency-Key` with the same body once: concurrent
 * duplicates wait for the first one's answer, later ones get it from the table for 24 hours. Answers that a
 * retry may change (429, 5xx) are not kept. Keys belong to their user;
 * only members have any.
 */
export function addIdempotency(
  app: FastifyInstance,
  repository: IdempotencyRepository,
  options: { now?: () => number; patienceMs?: number } = {},
): void {
  const { now = Date.now, patienceMs = PATIENCE_MS } = options;
  const claimed = new WeakMap<FastifyRequest, string>();

  app.addHook('preHandler', async (request, reply) => {
    const header = request.headers['idempotency-key'];
    if (!request.routeOptions.config.idempotent || header === undefined) return;
    if (request.principal.kind !== 'member') return;
    const key = String(header);
    if (!/^[\x21-\x7e]{1,255}$/.test(key)) {
      throw invalidInput('common.idempotency-key', 'idempotency-key');
    }
    const keyed = { userId: request.user._id, key, requestHash: hash(request) };
    const until = now() + patienceMs;
    for (;;) {
      const at = now();
      const limits = {
        now: new Date(at),
        expired: new Date(at - LIFETIME_MS),
        abandoned: new Date(at - ABANDONED_MS),
      };
      if (await repository.claim(keyed, limits)) {
        claimed.set(request, key);
        return;
      }
      const first = await repository.find(keyed.userId, key);
      if (first && first.requestHash !== keyed.requestHash) throw idempotencyConflict();
      if (first && first.status !== null) return replay(reply, first.status, first.body);
      if (at >= until) throw stillRunning();
      await sleep(POLL_MS);
    }
  });

  app.addHook('onSend', async (request, reply, payload) => {
    const key = claimed.get(request);
    if (key === undefined) return payload;
    claimed.delete(request);
    const { _id: userId } = request.user;
    try {
      if (reply.statusCode >= 500 || reply.statusCode === 429) await repository.release(userId, key);
      else await repository.answer(userId, key, reply.statusCode, bodyOf(payload));
    } catch (error) {
      // The request was carried out; only a repetition will not be recognised.
      request.log.warn({ err: error }, 'idempotent answer not kept');
    }
    return payload;
  });
}

/** Forgets the answers to keys that are too old to be asked for again. */
export const removeExpiredAnswers = (
  repository: IdempotencyRepository,
  now: () => number = Date.now,
): Promise<void> => repository.deleteBefore(new Date(now() - LIFETIME_MS));

function replay(reply: FastifyReply, status: number, body: unknown): FastifyReply {
  return reply
    .code(status)
    .header('idempotency-replayed', 'true')
    .type('application/json; charset=utf-8')
    .serializer((value: unknown) => JSON.stringify(value))
    .send(body ?? undefined);
}

const stillRunning = () =>
  new AppError('conflict', 409, 'common.idempotency-running', {
    retryAfterMs: 1_000,
  });

function hash(request: FastifyRequest): string {
  return createHash('sha256')
    .update(`${request.method} ${request.url}\n${JSON.stringify(request.body ?? null)}`)
    .digest('hex');
}

function bodyOf(payload: unknown): unknown {
  return typeof payload === 'string' && payload.length > 0 ? JSON.parse(payload) : undefined;
}
