import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { LimiterFactory } from '#server/rate-limits';
import { memoryLimiters } from '#server/rate-limits';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createOriginCheck } from './origins.ts';
import { createHttpServer } from './server.ts';

/** The real limits with room for three. */
const smallLimits: LimiterFactory = (name, { count, windowS }) =>
  memoryLimiters(name, { count: Math.min(count, 3), windowS });

async function serverWith(rateLimit: boolean) {
  const config = { publicUrl: null, corsOrigins: [], rateLimit };
  const app = await createHttpServer({
    config,
    logger: capturedLogger().logger,
    authenticate: async (token) => ({
      id: token,
      user: { _id: token, name: 'Ada', email: 'ada@example.com' },
    }),
    isAllowedOrigin: createOriginCheck(config),
    limiter: smallLimits,
  });
  app.get('/api/me', async (request) => request.user);
  app.post('/api/costly', { config: { perUser: { count: 1, windowS: 60 } } }, async () => ({}));
  app.get('/api/open', { config: { public: true } }, async () => ({}));
  app.get('/health', async () => ({}));
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

  it('stop an address that asks too much, and say when to come back', async () => {
    for (let n = 0; n < 3; n++) expect((await ask('/api/open', '10.0.0.1')).statusCode).toBe(200);
    const refused = await ask('/api/open', '10.0.0.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({ code: 'rate-limited' });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await ask('/api/open', '10.0.0.2')).statusCode).toBe(200);
  });

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

  it('leave health checks and the page alone', async () => {
    for (let n = 0; n < 10; n++) expect((await ask('/health', '10.0.0.1')).statusCode).toBe(200);
  });

  it('also count what is no route, so that guessing is not free', async () => {
    for (let n = 0; n < 3; n++) await ask('/api/guess', '10.0.0.1');
    expect((await ask('/api/open', '10.0.0.1')).statusCode).toBe(429);
  });
});

it('RATE_LIMIT=off turns them off', async () => {
  const app = await serverWith(false);
  for (let n = 0; n < 10; n++) expect((await app.inject('/api/open')).statusCode).toBe(200);
  await app.close();
});
