import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/settings/config';
import { isForApi } from './session.ts';

/**
 * Restricts our pages in the browser: run our own scripts, talk to our own server, play received audio, use
 * the microphone, and nothing else.
 */
export async function addSecurityHeaders(
  app: FastifyInstance,
  config: Pick<Config, 'publicUrl' | 'corsOrigins'>,
  liveKitUrl: string | null,
): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        // UI primitives lock scrolling and measure themselves with inline style elements.
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", 'data:', 'blob:'],
        mediaSrc: ["'self'", 'data:', 'blob:'],
        fontSrc: ["'self'", 'data:'],
        // Safari before 15.4 does not count a WebSocket to the page's own host as 'self'.
        connectSrc: ["'self'", (request) => ownSockets(request.headers.host), ...liveKitSources(liveKitUrl)],
        workerSrc: ["'self'", 'blob:'],
        objectSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: config.publicUrl?.startsWith('https:') ? { maxAge: 31_536_000 } : false,
    referrerPolicy: { policy: 'no-referrer' },
    crossOriginEmbedderPolicy: false,
    // A page on another allowed origin plays recordings from here.
    crossOriginResourcePolicy: { policy: config.corsOrigins.length > 0 ? 'cross-origin' : 'same-origin' },
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', async (request, reply) => {
    // Answers contain a user's data; routes whose answers may be cached override this.
    if (isForApi(request)) reply.header('cache-control', 'no-store');
    reply.header('permissions-policy', 'microphone=(self), camera=(), geolocation=(), payment=()');
  });
}

/** The Host header is untrusted: copy it into a header only if it looks like a host. */
const ownSockets = (host: string | undefined): string =>
  host && /^[\w.:[\]-]{1,255}$/.test(host) ? `ws://${host} wss://${host}` : "'self'";

/** A LiveKit server, which the page reaches by WebSocket, and by HTTP for the reasons of refusals. */
function liveKitSources(url: string | null): string[] {
  if (url === null) return [];
  const { host, protocol } = new URL(url);
  const isSecure = protocol === 'wss:' || protocol === 'https:';
  return isSecure ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
}
