import type { FastifyInstance } from 'fastify';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type LimiterFactory, take } from '#server/lib/rate-limits';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A route that costs more than others: how often one user may ask it, within the limit on everything. */
    perUser?: { count: number; windowS: number };
  }
}

/** Far above what a person with a few tabs does, far below what hurts. */
const PER_USER = { count: 600, windowS: 60 };

/**
 * Limits what one user may ask, from wherever, of everything and of the routes that say so. After the session is known;
 * what an address may ask, the front gate counts.
 */
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
    await take(limits, request.user._id);
    const ofRoute = ofRoutes.get(`${method} ${url}`);
    if (ofRoute) await take(ofRoute, request.user._id);
  });
}
