import cors from '@fastify/cors';
import {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify';
import { v7 as uuidv7 } from 'uuid';
import { codeOf } from '#server/lib/error-code';
import { AppError, notFound } from '#server/lib/errors';
import type { Principal } from '#server/lib/principal';
import type { LimiterFactory } from '#server/lib/rate-limits';
import type { Config } from '#server/settings/config';
import type { Logger } from '#server/telemetry/logger';
import { type Metrics, noMetrics } from '#server/telemetry/metrics';
import type { User } from '#shared/accounts';
import { addClientAddress, createAddressOf, type IsProxy } from './client-address.ts';
import { toAppError } from './errors.ts';
import { acceptJson } from './json-bodies.ts';
import { EXPOSED_HEADERS, type IsAllowedOrigin, METHODS } from './origins.ts';
import { limitPerUser } from './rate-limit.ts';
import { endWith, rawRefusal, retryAfter, strictTransport } from './raw-refusal.ts';
import { readWhatIsLeft } from './read-what-is-left.ts';
import { addSecurityHeaders } from './security-headers.ts';
import { isForApi, requireSession } from './session.ts';
import { zodFastify } from './zod-fastify.ts';

/**
 * The largest body of most routes is an action with headers and body. Routes that take company information or
 * documents set their own limit.
 */
const DEFAULT_BODY_BYTES = 256_000;
/** Sign-ins and registrations are far smaller, and their sender is still unknown. */
const PUBLIC_BODY_BYTES = 16_000;

interface HttpOptions {
  config: Pick<Config, 'publicUrl' | 'corsOrigins'>;
  logger: Logger;
  /** The principal of a token; null if invalid or over. */
  authenticate(token: string): Promise<Principal | null>;
  isAllowedOrigin: IsAllowedOrigin;
  /** Proxies trusted for a client's address, host and scheme; default: none. */
  isProxy?: IsProxy;
  /** LiveKit server that the page connects to; absent: rooms are embedded. */
  liveKitUrl?: string | null;
  metrics?: Metrics;
  /** Called when a member asked for something forbidden. */
  onForbidden?: (user: User, route: string, address: string) => void;
  /** Counters of the rate limits; null: nothing is counted. */
  limiter?: LimiterFactory | null;
}

/**
 * The HTTP server without features: ids, log lines, limits, sessions, and the one place where errors become
 * answers. Register routes on it afterwards.
 */
export async function createHttpServer(options: HttpOptions): Promise<FastifyInstance> {
  const { config, isAllowedOrigin, isProxy = () => false, limiter, metrics = noMetrics } = options;
  const loggerInstance: FastifyBaseLogger = options.logger;
  const app = zodFastify({
    loggerInstance,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    requestIdHeader: false,
    genReqId: () => uuidv7(),
    trustProxy: isProxy,
    bodyLimit: DEFAULT_BODY_BYTES,
    // A room name has up to 128 characters, each of up to twelve in an address.
    routerOptions: { maxParamLength: 1_600 },
    requestTimeout: 120_000,
    // Finishes requests under way when the server closes; app.ts ends connections that stay open.
    forceCloseConnections: 'idle',
    frameworkErrors: (_error, request, reply) => sendRefusal(request, reply, notFound()),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || !socket.writable) return socket.destroy();
      const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400;
      endWith(
        socket,
        rawRefusal(
          new AppError('invalid-input', status, 'common.not-understood'),
          strictTransport(config.publicUrl),
        ),
      );
    },
  });
  acceptJson(app, limiter ?? null);
  app.addHook('onRoute', (route) => {
    if (route.config?.public) route.bodyLimit ??= PUBLIC_BODY_BYTES;
  });

  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  await addSecurityHeaders(app, config, options.liveKitUrl ?? null);
  app.addHook('onResponse', async (request, reply) => {
    const log = {
      method: request.method,
      route: request.routeOptions.url,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    };
    if (isForApi(request)) request.log.info(log, 'request answered');
    else request.log.debug(log, 'request answered');
    metrics.request(log.method, log.route ?? null, log.status, reply.elapsedTime);
  });
  app.setErrorHandler((error, request, reply) => {
    // No file can have such a name, so let the not-found handler answer.
    if (isUnservablePath(error)) {
      reply.raw.setMaxListeners(20);
      return reply.callNotFound();
    }
    const refusal = toAppError(error);
    metrics.refused('http', refusal.code);
    if (refusal.status === 403 && request.isSignedIn && request.principal.kind === 'member')
      options.onForbidden?.(
        request.user,
        `${request.method} ${request.routeOptions.url ?? 'unknown route'}`,
        request.address,
      );
    return sendRefusal(request, reply, refusal);
  });
  readWhatIsLeft(app);

  addClientAddress(app, createAddressOf(isProxy));
  await app.register(cors, {
    delegator: (request, decide) => {
      const { origin, host } = request.headers;
      decide(null, {
        origin: origin !== undefined && isAllowedOrigin(origin, host),
        methods: METHODS,
        exposedHeaders: EXPOSED_HEADERS,
        maxAge: 600,
      });
    },
  });
  requireSession(app, options.authenticate);
  if (limiter) limitPerUser(app, limiter);
  return app;
}

/** Sends a refusal. Details that only the log may contain go to the log. */
export function sendRefusal(request: FastifyRequest, reply: FastifyReply, refusal: AppError): FastifyReply {
  if (refusal.status >= 500)
    request.log.error({ err: refusal.cause ?? refusal, route: request.routeOptions?.url }, 'request failed');
  return (
    reply
      .code(refusal.status)
      .headers(retryAfter(refusal))
      // Some refusals come before any hook has run.
      .header('x-request-id', request.id)
      .type('application/json; charset=utf-8')
      // Bypasses the route's schemas: this body is the same for every route.
      .serializer((body: unknown) => JSON.stringify(body))
      .send(refusal.toBody())
  );
}

const isUnservablePath = (error: unknown) => codeOf(error) === 'FST_STATIC_FORBIDDEN_PATH';
