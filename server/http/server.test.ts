import { connect } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { FastifyPluginAsyncZod } from 'fastify-type-provider-zod';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EngineError } from '#server/lib/engine-error';
import { rateLimited } from '#server/lib/errors';
import { memberIn } from '#server/lib/principal';
import { noMetrics } from '#server/telemetry/metrics';
import { errorBodySchema } from '#shared/errors';
import { refusal, sentenceOf } from '#shared/refusals/refusal';
import { aMember } from '../../tests/factories.ts';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createOriginCheck } from './origins.ts';
import { createHttpServer } from './server.ts';
import { serveWebAssets } from './web-assets.ts';

const log = capturedLogger();
const token = 'a-valid-token';
const user = aMember({ _id: 'u1' });
/** Codes of refusals, as counted. */
const refused: string[] = [];
let app: FastifyInstance;
let address: string;

const thingRoutes: FastifyPluginAsyncZod = async (routes) => {
  routes.post(
    '/api/things',
    {
      schema: {
        body: z.object({
          name: z.string().min(1, sentenceOf('accounts.name-missing')),
          size: z.number().int(),
          parts: z.array(z.object({ on: z.boolean() })).optional(),
        }),
        response: { 200: z.object({ name: z.string() }) },
      },
    },
    async (request) => ({ name: request.body.name }),
  );
  routes.get(
    '/api/things/:id',
    {
      schema: {
        params: z.object({ id: z.uuid() }),
        querystring: z.object({
          limit: z.coerce
            .number()
            .max(100, sentenceOf(refusal('common.limit', { max: 100 })))
            .optional(),
        }),
      },
    },
    async () => ({ ok: true }),
  );
  routes.get('/api/broken', async () => {
    throw Object.assign(new Error('select secret from /etc/passwd'), { params: ['hunter2'] });
  });
  routes.get(
    '/api/wrong-answer',
    { schema: { response: { 200: z.object({ n: z.number() }) } } },
    async (_request, reply) => reply.send({ n: 'not a number' } as never),
  );
  routes.get('/api/voiceless', async () => {
    throw new EngineError('The voice is still being fetched.', { retryable: true });
  });
  routes.get('/api/busy', async () => {
    throw rateLimited(1_200);
  });
  routes.get('/api/open', { config: { public: true } }, async () => ({ ok: true }));
  routes.post('/api/open', { config: { public: true } }, async () => ({ ok: true }));
  routes.get('/api/me', async (request) => request.user);
};

beforeAll(async () => {
  const config = { publicUrl: null, corsOrigins: ['https://care.example.com'] };
  app = await createHttpServer({
    config,
    logger: log.logger,
    authenticate: async (given) => (given === token ? memberIn({ id: 's1', user }) : null),
    isAllowedOrigin: createOriginCheck(config),
    metrics: { ...noMetrics, refused: (_door, code) => void refused.push(code) },
  });
  await app.register(thingRoutes);
  await serveWebAssets(app, '/nowhere');
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => app.close());

const bearer = { authorization: `Bearer ${token}` };
const post = (body: string | object, headers: Record<string, string> = {}) =>
  app.inject({ method: 'POST', url: '/api/things', headers: { ...bearer, ...headers }, body });
const get = (url: string, headers: Record<string, string> = bearer) => app.inject({ url, headers });

describe('a request that is fine', () => {
  it('is answered with an id that its log line carries too', async () => {
    const response = await post({ name: 'a', size: 1 });
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ name: 'a' });
    const id = response.headers['x-request-id'];
    expect(id).toMatch(/^[\da-f-]{36}$/);
    expect(log.lines()).toContainEqual(
      expect.objectContaining({ requestId: id, method: 'POST', route: '/api/things', status: 200 }),
    );
  });

  it('is answered for this user alone: nothing on the way may keep it', async () => {
    expect((await get('/api/me')).headers['cache-control']).toBe('no-store');
    expect((await get('/api/me', {})).headers['cache-control']).toBe('no-store');
  });

  it.each(['/%61pi/me', '/ap%69/me', 'http://x/api/me'])(
    'is one for the API however its route was reached: %s',
    async (url) => {
      const before = log.lines().length;
      const { headers } = await get(url);
      expect(headers['cache-control']).toBe('no-store');
      expect(log.lines().slice(before)).toContainEqual(
        expect.objectContaining({ msg: 'request answered', route: '/api/me', level: 'info' }),
      );
    },
  );

  it('is answered to HEAD as well, without a body', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/api/me', headers: bearer });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });
});

describe('a refusal', () => {
  it('says the same sentence under both keys, with a code', async () => {
    const body = errorBodySchema.parse((await get('/api/me', {})).json());
    expect(body).toEqual({
      message: 'Please sign in to continue.',
      error: 'Please sign in to continue.',
      code: 'unauthenticated',
      key: 'common.sign-in',
    });
  });

  it.each([
    ['no JSON', '{"name": ', 'invalid-json', 400],
    ['JSON that would change prototypes', '{"__proto__": {"admin": true}}', 'invalid-json', 400],
    ['a list', '[]', 'invalid-input', 400],
    ['null', 'null', 'invalid-input', 400],
    ['a bare word', '"name"', 'invalid-input', 400],
    ['nothing', '', 'invalid-input', 400],
    ['more than a megabyte', JSON.stringify({ name: 'x'.repeat(1_000_001) }), 'payload-too-large', 413],
    ['very deep nesting', '['.repeat(100_000), 'invalid-json', 400],
  ])('answers a body of %s', async (_what, body, code, status) => {
    const response = await post(body, { 'content-type': 'application/json' });
    expect(response.statusCode).toBe(status);
    expect(errorBodySchema.parse(response.json()).code).toBe(code);
  });

  it.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/xml',
    'nonsense',
  ])('answers a body of type %s with 415', async (type) => {
    const response = await post('name=a', { 'content-type': type });
    expect(response.statusCode).toBe(415);
    expect(response.json()).toMatchObject({ code: 'unsupported-media-type' });
  });

  it('takes little from somebody who is not known yet', async () => {
    const send = (bytes: number) =>
      app.inject({ method: 'POST', url: '/api/open', body: { text: 'x'.repeat(bytes) } });
    expect((await send(10_000)).statusCode).toBe(200);
    expect((await send(20_000)).statusCode).toBe(413);
  });

  it('names every wrong field, in a sentence for people', async () => {
    const response = await post({ name: '', size: 'big', parts: [{ on: true }, { on: 'yes' }] });
    expect(response.statusCode).toBe(400);
    expect(response.json()).toEqual({
      message: 'Enter your name.',
      error: 'Enter your name.',
      code: 'invalid-input',
      key: 'accounts.name-missing',
      fields: {
        name: 'Enter your name.',
        size: 'The field "size" must be a number.',
        'parts.1.on': 'The field "parts.1.on" must be true or false.',
      },
      fieldKeys: {
        name: 'accounts.name-missing',
        size: 'common.field-must-be-number',
        'parts.1.on': 'common.field-must-be-boolean',
      },
    });
    expect((await post({ name: 'a' })).json()).toMatchObject({
      key: 'common.field-missing',
      values: { name: 'size' },
      fields: { size: 'The field "size" is missing.' },
    });
  });

  it.each([null, [], {}, true, 3.5, { $gt: '' }, ['a']])(
    'answers %j in the place of text with 400',
    async (value) => {
      expect((await post({ name: value, size: 1 })).statusCode).toBe(400);
    },
  );

  it.each([
    '1',
    "1' or '1'='1",
    '..%2F..%2Fetc%2Fpasswd',
    '%00',
    '%E0%A4',
    'x'.repeat(600),
    '00000000-0000-0000-0000-00000000000g',
  ])('answers the malformed id %s as one that does not exist', async (id) => {
    const response = await get(`/api/things/${id}`);
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not-found' });
    expect(response.headers['x-request-id']).toBeDefined();
  });

  it('answers a wrong query with 400', async () => {
    const response = await get('/api/things/0190a6c4-7e2b-7c3a-9d5e-1f2a3b4c5d6e?limit=101');
    expect(response.statusCode).toBe(400);
    expect(response.json()).toMatchObject({ fields: { limit: 'Use a limit from 1 to 100.' } });
  });

  it.each([
    ['GET', '/api/unknown'],
    ['GET', '/api'],
    ['DELETE', '/api/me'],
    ['PATCH', '/api/things'],
    ['OPTIONS', '/api/things'],
    ['POST', '/'],
  ] as const)('answers %s %s, which is no route, with 404 JSON', async (method, url) => {
    const response = await app.inject({ method, url, headers: { accept: 'text/html', ...bearer } });
    expect(response.statusCode).toBe(404);
    expect(response.json()).toMatchObject({ code: 'not-found' });
  });

  it('gives nothing internal away when something breaks, and logs it under the same id', async () => {
    const response = await get('/api/broken');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toEqual({
      message: 'Something went wrong on our side. Please try again.',
      error: 'Something went wrong on our side. Please try again.',
      code: 'internal',
      key: 'common.internal',
    });
    const line = log
      .lines()
      .find((l) => l.requestId === response.headers['x-request-id'] && l.level === 'error');
    expect(line).toMatchObject({ route: '/api/broken', err: { type: 'Error', at: expect.any(Array) } });
    expect(JSON.stringify(log.lines())).not.toContain('hunter2');
  });

  it('answers 500 when a route answers what its schema does not allow', async () => {
    const response = await get('/api/wrong-answer');
    expect(response.statusCode).toBe(500);
    expect(response.json()).toMatchObject({ code: 'internal' });
  });

  it('answers 503 with its sentence when an engine is away', async () => {
    const response = await get('/api/voiceless');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toMatchObject({
      code: 'unavailable',
      message: 'The voice is still being fetched.',
    });
  });

  it('says in whole seconds when to come back', async () => {
    const response = await get('/api/busy');
    expect(response.statusCode).toBe(429);
    expect(response.headers['retry-after']).toBe('2');
  });
});

describe('a session', () => {
  it('is asked for by every route below /api that does not say it is public', async () => {
    for (const url of ['/api/me', '/api/broken', '/api/things/1'])
      expect((await get(url, {})).statusCode).toBe(401);
    expect((await get('/api/open', {})).statusCode).toBe(200);
  });

  it('belongs to the bearer of a token, however the scheme is written', async () => {
    for (const authorization of [`Bearer ${token}`, `bearer  ${token}`, ` BEARER ${token} `])
      expect((await get('/api/me', { authorization })).json()).toEqual(user);
  });

  it.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    token,
    `Bearer ${token} ${token}`,
    'Bearer ünicode',
    `Bearer ${'x'.repeat(8_000)}`,
  ])('is not given for the header %j', async (authorization) => {
    expect((await get('/api/me', { authorization })).statusCode).toBe(401);
  });
});

describe('a page of another origin', () => {
  const preflight = (origin: string) =>
    app.inject({
      method: 'OPTIONS',
      url: '/api/things',
      headers: {
        origin,
        host: 'localhost:3000',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization',
      },
    });

  it.each(['https://care.example.com', 'http://localhost:3000'])('may call from %s', async (origin) => {
    const response = await preflight(origin);
    expect(response.statusCode).toBe(204);
    expect(response.headers['access-control-allow-origin']).toBe(origin);
    expect(response.headers['access-control-allow-headers']).toBe('authorization');
    expect(response.headers['access-control-allow-methods']).toMatch(/PUT.*PATCH.*DELETE/);
  });

  it.each(['https://evil.example.com', 'http://localhost:3001', 'null', 'https://care.example.com.evil.com'])(
    'may not call from %s',
    async (origin) => {
      expect((await preflight(origin)).headers['access-control-allow-origin']).toBeUndefined();
    },
  );
});

describe('a client that sends everything before it looks for an answer', () => {
  const BYTES = 8_000_000;
  const sendAll = (path: string, lines: string[], chunk: Buffer) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1');
      socket.on('error', reject);
      socket.pause();
      const head = [`POST ${path} HTTP/1.1`, 'Host: x', `Content-Length: ${BYTES}`, ...lines];
      socket.write(`${head.join('\r\n')}\r\n\r\n`);
      for (let sent = 0; sent < BYTES; sent += chunk.length)
        socket.write(chunk, () => {
          if (sent + chunk.length < BYTES) return;
          let answer = '';
          socket.on('data', (data) => {
            answer += data;
            if (answer.includes('}')) socket.destroy();
          });
          socket.on('close', () => resolve(answer));
          socket.resume();
        });
    });

  it.each([
    ['too much', '/api/things', `Authorization: Bearer ${token}`, 413],
    [
      'too much, and nothing after it',
      '/api/things',
      `Authorization: Bearer ${token}\r\nConnection: close`,
      413,
    ],
    ['too much as nobody', '/api/open', 'X-Nothing: 1', 413],
    ['as nobody', '/api/things', 'X-Nothing: 1', 401],
    ['to no route', '/api/nothing', 'Connection: close', 413],
  ])('learns why it was refused: %s', async (_what, path, line, status) => {
    const answer = await sendAll(path, ['Content-Type: application/json', line], Buffer.alloc(100_000, ' '));
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
  });
});

describe('a client that leaves in the middle of its body', () => {
  it('is refused as any bad request, not noted as a failure of the server', async () => {
    refused.length = 0;
    const before = log.lines().length;
    const socket = connect(Number(new URL(address).port), '127.0.0.1');
    socket.write('POST /api/open HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n');
    socket.write('Content-Length: 100\r\n\r\n{"name":', () => socket.destroy());
    await expect.poll(() => refused).toEqual(['invalid-input']);
    const since = log.lines().slice(before);
    expect(since.filter(({ level }) => level === 'error')).toEqual([]);
  });
});

describe('a connection that speaks no proper HTTP', () => {
  const exchange = (bytes: string) =>
    new Promise<string>((resolve, reject) => {
      const socket = connect(Number(new URL(address).port), '127.0.0.1', () => socket.write(bytes));
      let answer = '';
      socket.on('data', (chunk) => {
        answer += chunk;
      });
      socket.on('close', () => resolve(answer));
      socket.on('error', reject);
    });

  it.each([
    ['nonsense', 'hello there\r\n\r\n', '400'],
    ['an unknown method', 'FOO /api/me HTTP/1.1\r\nHost: x\r\n\r\n', '400'],
    [
      'a flood of headers',
      `GET / HTTP/1.1\r\nHost: x\r\n${'X-Flood: 1234567890\r\n'.repeat(5_000)}\r\n`,
      '431',
    ],
    ['one huge header', `GET / HTTP/1.1\r\nHost: x\r\nX-Huge: ${'x'.repeat(100_000)}\r\n\r\n`, '431'],
    [
      'two lengths',
      'POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{',
      '400',
    ],
    [
      'smuggling',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      '400',
    ],
  ])('is answered like any other refusal: %s', async (_what, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(answer).toContain('x-request-id: ');
    errorBodySchema.parse(JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)));
    expect((await get('/api/open', {})).statusCode).toBe(200);
  });
});
