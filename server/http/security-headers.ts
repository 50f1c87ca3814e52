import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/settings/config';
import { isForApi } from './session.ts';

/**
 * What a browser may do with our pages: run our own scripts, talk to our own server, play the audio it was sent, use
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
        // The page's primitives lock scrolling and measure themselves with style elements of their own.
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
    // Answers hold what is one user's; a route whose answer may be kept says so.
    if (isForApi(request)) reply.header('cache-control', 'no-store');
    reply.header('permissions-policy', 'microphone=(self), camera=(), geolocation=(), payment=()');
  });
}

/** The Host header comes from outside: only what a host can look like gets into a header of ours. */
const ownSockets = (host: string | undefined): string =>
  host && /^[\w.:[\]-]{1,255}$/.test(host) ? `ws://${host} wss://${host}` : "'self'";

/** Where a LiveKit server stands for the rooms the page talks to it: over a WebSocket, and over HTTP to hear why not. */
function liveKitSources(url: string | null): string[] {
  if (url === null) return [];
  const { host, protocol } = new URL(url);
  const isSecure = protocol === 'wss:' || protocol === 'https:';
  return isSecure ? [`wss://${host}`, `https://${host}`] : [`ws://${host}`, `http://${host}`];
}
