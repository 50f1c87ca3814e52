import { createHash, timingSafeEqual } from 'node:crypto';
import { type FastifyBaseLogger, type FastifyInstance, type FastifyReply, LogController } from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import type { SoundEncoder } from '#server/engines/encoding/contract';
import type { RecognitionEngine } from '#server/engines/recognition/contract';
import type { SynthesisEngine } from '#server/engines/synthesis/contract';
import { endConnections } from '#server/http/end-connections';
import { toAppError } from '#server/http/errors';
import { healthRoutes } from '#server/http/health-routes';
import { normalPath, notNormal } from '#server/http/normal-path';
import { retryAfter } from '#server/http/raw-refusal';
import { readWhatIsLeft } from '#server/http/read-what-is-left';
import { bearerToken } from '#server/http/session';
import { zodFastify } from '#server/http/zod-fastify';
import { AppError, forbidden, notFound, unavailable } from '#server/lib/errors';
import { Overlap } from '#server/lib/overlap';
import { within } from '#server/lib/wait';
import { whileConnected } from '#server/lib/while-connected';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { EngineStatus } from '#shared/status';
import { modelList } from './models.ts';
import type { SoundReader } from './read-sound.ts';
import { speechRoutes } from './speech.ts';
import { transcriptionRoutes } from './transcriptions.ts';

export interface SpeechServerParts {
  /** Whoever asks must have it; null: nobody needs one, but no page of a browser may ask. */
  apiKey: string | null;
  recognition: RecognitionEngine;
  synthesis: SynthesisEngine;
  encoder: SoundEncoder;
  sounds: SoundReader;
  logger: Logger;
  metrics?: Metrics;
}

interface SpeechServer {
  server: FastifyInstance;
  /** Whoever asks may have this key from now on; that of before is good for a while yet. A server that needs none needs none. */
  takeKey(key: string): void;
  /**
   * Takes nothing new, lets what is under way finish, then ends every connection. Engines stay open: who made them closes
   * them.
   * @param drainMs how long that may take, in milliseconds
   */
  close(drainMs?: number): Promise<void>;
}

/** As long as a web instance lets its turns finish. */
const DRAIN_MS = 10_000;
const GRACE_MS = 1_000;
/** When to come back while an engine loads or restarts, in milliseconds. */
const ENGINE_BACK_MS = 2_000;

/** Ears and voice behind OpenAI's audio API. */
export async function createSpeechServer(parts: SpeechServerParts): Promise<SpeechServer> {
  const { recognition, synthesis, encoder, sounds, metrics = noMetrics } = parts;
  const loggerInstance: FastifyBaseLogger = parts.logger;
  const app = zodFastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: () => uuidv7(),
    requestTimeout: 60_000,
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, _request, reply) => sendRefusal(reply, notNormal()),
  });
  const keys = parts.apiKey === null ? null : new Overlap(parts.apiKey);
  const ending = new AbortController();
  const signalOf = (reply: Parameters<typeof whileConnected>[0]) =>
    AbortSignal.any([ending.signal, whileConnected(reply)]);

  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    if (normalPath(request.url) === null) throw notNormal();
    // Never by the address itself: a router reads more spellings of it than anybody thinks of.
    if (!request.routeOptions.url?.startsWith('/v1/')) return;
    if (!keys && request.headers.origin !== undefined) throw forbidden('speech.key-needed-in-browsers');
    const shown = bearerToken(request.headers.authorization) ?? '';
    if (keys && !keys.valid.some((key) => isSame(shown, key)))
      throw new AppError('unauthenticated', 401, 'speech.key-wrong');
  });
  app.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? null;
    metrics.request(request.method, route, reply.statusCode, reply.elapsedTime);
    if (route?.startsWith('/v1/'))
      request.log.info(
        { method: request.method, route, status: reply.statusCode, ms: Math.round(reply.elapsedTime) },
        'request answered',
      );
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  app.setErrorHandler((error, request, reply) => {
    // Nobody is there to be told.
    if (reply.raw.destroyed) return reply.hijack();
    const refusal = toAppError(error);
    metrics.refused('http', refusal.code);
    if (refusal.status >= 500)
      request.log.warn({ err: refusal.cause ?? refusal, route: request.routeOptions.url }, 'request failed');
    return sendRefusal(reply, refusal);
  });
  readWhatIsLeft(app);

  await app.register(
    healthRoutes([
      { name: 'ears', forText: () => true, check: async () => missing(recognition.status()) },
      { name: 'voice', forText: () => true, check: async () => missing(synthesis.status()) },
    ]),
  );
  app.get('/v1/models', async () => modelList);
  await app.register(transcriptionRoutes({ recognition, sounds, signalOf }));
  await app.register(speechRoutes({ synthesis, encoder, signalOf }));
  await app.ready();

  let closing: Promise<void> | undefined;
  return {
    server: app,
    takeKey: (key) => keys?.replace(key),
    close(drainMs = DRAIN_MS) {
      closing ??= (async () => {
        const closed = app.close();
        const idle = setInterval(() => app.server.closeIdleConnections(), 50);
        await within(drainMs, closed);
        clearInterval(idle);
        ending.abort(unavailable('speech.closing'));
        await endConnections(app.server, GRACE_MS);
        await closed;
      })();
      return closing;
    },
  };
}

const missing = ({ state, message }: EngineStatus) => (state === 'ready' ? null : message);

/** Takes as long whatever is different, and whatever the lengths are. */
const isSame = (given: string, expected: string) => timingSafeEqual(digest(given), digest(expected));
const digest = (text: string) => createHash('sha256').update(text).digest();

function sendRefusal(reply: FastifyReply, refusal: AppError): FastifyReply {
  const back = refusal.status === 503 ? { 'retry-after': String(ENGINE_BACK_MS / 1_000) } : {};
  return reply
    .code(refusal.status)
    .headers({ ...back, ...retryAfter(refusal) })
    .send(asOpenAiSays(refusal));
}

/** The body of a refusal, as OpenAI's clients read it. */
const asOpenAiSays = ({ message, code, refusal, status, fields = {} }: AppError) => ({
  error: {
    message,
    type: status >= 500 ? 'server_error' : 'invalid_request_error',
    param: Object.keys(fields)[0] ?? null,
    code,
    key: refusal.key,
  },
});
