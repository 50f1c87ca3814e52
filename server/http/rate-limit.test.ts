import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { memberIn } from '#server/lib/principal';
import type { LimiterFactory } from '#server/lib/rate-limits';
import { memoryLimiters } from '#server/lib/rate-limits';
import { aMember } from '../../tests/factories.ts';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createOriginCheck } from './origins.ts';
import { createHttpServer } from './server.ts';

/** The real limits, reduced to three. */
const smallLimits: LimiterFactory = (name, { count, windowS }) =>
  memoryLimiters(name, { count: Math.min(count, 3), windowS });

async function serverWith(rateLimit: boolean) {
  const config = { publicUrl: null, corsOrigins: [] };
  const app = await createHttpServer({
    config,
    logger: capturedLogger().logger,
    authenticate: async (token) => memberIn({ id: token, user: aMember({ _id: token }) }),
    isAllowedOrigin: createOriginCheck(config),
    limiter: rateLimit ? smallLimits : null,
  });
  app.get('/api/me', async (request) => request.user);
  app.post('/api/costly', { config: { perUser: { count: 1, windowS: 60 } } }, async () => ({}));
  return app;
}

describe('the rate limits', () => {
  let app: Awaited<ReturnType<typeof serverWith>>;
  beforeEach(async () => {
    app = await serverWith(true);
  });
  afterEach(() => app.close());
  const ask = (url: string, remoteAddress: string, token = 'u1') =>
    app.inject({ url, remoteAddress, headers: { authorization: `Bearer ${token}` } });

  it('stop a user who asks too much from many addresses, and nobody else', async () => {
    for (let n = 0; n < 3; n++) expect((await ask('/api/me', `10.0.1.${n}`)).statusCode).toBe(200);
    expect((await ask('/api/me', '10.0.1.9')).statusCode).toBe(429);
    expect((await ask('/api/me', '10.0.1.9', 'u2')).statusCode).toBe(200);
  });

  it('stop a user earlier on a route that says so, and there alone', async () => {
    const costly = (token: string) =>
      app.inject({ method: 'POST', url: '/api/costly', headers: { authorization: `Bearer ${token}` } });
    expect((await costly('u3')).statusCode).toBe(200);
    const refused = await costly('u3');
    expect([refused.statusCode, refused.json().code]).toEqual([429, 'rate-limited']);
    expect((await ask('/api/me', '10.0.4.1', 'u3')).statusCode).toBe(200);
    expect((await costly('u4')).statusCode).toBe(200);
  });
});

it('RATE_LIMIT=off turns them off', async () => {
  const app = await serverWith(false);
  const headers = { authorization: 'Bearer u1' };
  for (let n = 0; n < 10; n++) expect((await app.inject({ url: '/api/me', headers })).statusCode).toBe(200);
  await app.close();
});
