import type { FastifyInstance } from 'fastify';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';
import { type LimiterFactory, take } from '#server/lib/rate-limits';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** For expensive routes: requests per user, within the general limit. */
    perUser?: { count: number; windowS: number };
  }
}

/** Far above what a person with a few tabs needs, far below what does harm. */
const PER_USER = { count: 600, windowS: 60 };

/**
 * Limits a user's requests in total and on routes with a limit of their own. Runs after the session is known;
 * the front gate limits by address.
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
    await take(limits, request.account);
    const ofRoute = ofRoutes.get(`${method} ${url}`);
    if (ofRoute) await take(ofRoute, request.account);
  });
}
