import type { FastifyInstance } from 'fastify';
import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible';
import { rateLimited } from '#server/errors';
import type { LimiterFactory } from '#server/rate-limits';
import { isApi } from './session.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that costs more than others: how often one user may ask it, within the limit on everything. */
    perUser?: { count: number; windowS: number };
  }
}

/** Far above what a person with a few tabs does, far below what hurts. */
const PER_ADDRESS = { count: 1_200, windowS: 60 };
const PER_USER = { count: 600, windowS: 60 };

/** Limits what one network address may ask of the API. Before anything else is done for a request. */
export function limitPerAddress(app: FastifyInstance, limiter: LimiterFactory): void {
  const limits = limiter('api-address', PER_ADDRESS);
  app.addHook('onRequest', async (request) => {
    if (isApi(request.url)) await limits.consume(request.address).catch(refuse);
  });
}

/** Limits what one user may ask, from wherever, of everything and of the routes that say so. After the session is known. */
export function limitPerUser(app: FastifyInstance, limiter: LimiterFactory): void {
  const limits = limiter('api-user', PER_USER);
  const ofRoutes = new Map<string, RateLimiterAbstract>();
  app.addHook('onRoute', ({ config, method, url }) => {
    const route = `${method} ${url}`;
    if (config?.perUser) ofRoutes.set(route, limiter(`api-user:${route}`, config.perUser));
  });
  app.addHook('onRequest', async (request) => {
    const { method, url } = request.routeOptions;
    if (!request.isSignedIn) return;
    await limits.consume(request.user._id).catch(refuse);
    await ofRoutes.get(`${method} ${url}`)?.consume(request.user._id).catch(refuse);
  });
}

function refuse(reached: unknown): never {
  if (reached instanceof RateLimiterRes) throw rateLimited(reached.msBeforeNext);
  throw reached;
}
