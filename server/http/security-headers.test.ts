import { afterEach, expect, it } from 'vitest';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createOriginCheck } from './origins.ts';
import { createHttpServer } from './server.ts';

let close: () => Promise<void> = async () => {};
afterEach(() => close());

async function serverAt(publicUrl: string | null) {
  const config = { publicUrl, corsOrigins: [] };
  const app = await createHttpServer({
    config,
    logger: capturedLogger().logger,
    authenticate: async () => null,
    isAllowedOrigin: createOriginCheck(config),
  });
  close = () => app.close();
  app.get('/api/open', { config: { public: true } }, async () => ({ ok: true }));
  app.get('/api/mine', async () => ({ ok: true }));
  app.setNotFoundHandler((_request, reply) => reply.code(404).send({ error: 'There is nothing here.' }));
  return app;
}

it.each([
  ['an answer', '/api/open', 200],
  ['a refusal', '/api/mine', 401],
  ['what is not there', '/nowhere', 404],
])('keeps browsers from making anything else of %s', async (_what, url, status) => {
  const response = await (await serverAt('https://care.example.com')).inject(url);
  expect(response.statusCode).toBe(status);
  expect(response.headers).toMatchObject({
    'strict-transport-security': 'max-age=31536000; includeSubDomains',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'content-security-policy': expect.stringMatching(
      /object-src 'none';.*base-uri 'none';.*frame-ancestors 'none'/,
    ),
  });
  expect(response.headers).not.toHaveProperty('set-cookie');
  expect(response.headers).not.toHaveProperty('server');
  expect(response.headers).not.toHaveProperty('x-powered-by');
});

it.each([null, 'http://care.example.com'])('promises no TLS where there is none (%s)', async (publicUrl) => {
  const { headers } = await (await serverAt(publicUrl)).inject('/api/open');
  expect(headers).not.toHaveProperty('strict-transport-security');
});

it('sends nobody back what they sent: there is no TRACE', async () => {
  const app = await serverAt(null);
  const response = await app.inject({ method: 'TRACE', url: '/api/open', headers: { secret: 'xyzzy' } });
  expect(response.statusCode).toBe(404);
  expect(response.body).not.toContain('xyzzy');
});
