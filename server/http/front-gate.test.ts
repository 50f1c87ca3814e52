import { once } from 'node:events';
import { createServer, type Server as HttpServer, request } from 'node:http';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import { afterEach, describe, expect, it } from 'vitest';
import { type LimiterFactory, memoryLimiters } from '#server/lib/rate-limits';
import { errorBodySchema } from '#shared/errors';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createAddressOf, createProxyCheck } from './client-address.ts';
import { guardFrontGate } from './front-gate.ts';
import { createHostCheck } from './hosts.ts';
import { createOriginCheck } from './origins.ts';

/** The real limits, reduced to three. */
const smallLimits: LimiterFactory = (name, { windowS }) => memoryLimiters(name, { count: 3, windowS });
const settings = { publicUrl: 'https://care.example.com', allowedHosts: [], corsOrigins: [] };

let server: HttpServer;
let port: number;
let served: string[];
let leave: () => void;
let turnedAway: string[][];

/** A server that answers with what it serves, behind a proxy whose addresses are trusted. */
async function openGate(limiter: LimiterFactory | null = smallLimits) {
  served = [];
  turnedAway = [];
  server = createServer((asked, answer) => {
    served.push(`${asked.method} ${asked.url}`);
    answer.end('served');
  });
  server.on('upgrade', (asked, socket: Duplex) => {
    served.push(`upgrade ${asked.url}`);
    socket.end('HTTP/1.1 101 Switching Protocols\r\n\r\n');
  });
  leave = guardFrontGate(server, {
    addressOf: createAddressOf(createProxyCheck(settings)),
    isAllowedHost: createHostCheck(settings),
    isAllowedOrigin: createOriginCheck(settings),
    limiter,
    log: capturedLogger().logger,
    publicUrl: settings.publicUrl,
    onRefused: (...refused) => turnedAway.push(refused),
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  port = typeof address === 'object' && address ? address.port : 0;
}
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

interface Asked {
  from?: string;
  method?: string;
  headers?: Record<string, string>;
}
const ask = ({ path, from = '203.0.113.1', method = 'GET', headers = {} }: Asked & { path: string }) =>
  new Promise<{ status: number; headers: Record<string, unknown>; body: string }>((resolve, reject) => {
    const asked = request(
      { port, host: '127.0.0.1', path, method, headers: { 'x-forwarded-for': from, ...headers } },
      (answer) => {
        let body = '';
        answer.on('data', (chunk) => {
          body += chunk;
        });
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, headers: answer.headers, body }));
      },
    );
    asked.on('error', reject);
    asked.end();
  });
const upgrade = (path: string, from = '203.0.113.1', host = 'localhost') =>
  new Promise<string>((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () =>
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nX-Forwarded-For: ${from}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
      ),
    );
    let answer = '';
    socket.on('data', (chunk) => {
      answer += chunk;
    });
    socket.on('close', () => resolve(answer));
    socket.on('error', reject);
  });

describe('an address', () => {
  it.each(['/api/open', '/api/guess', '/', '/assets/page.js', '/ready', '/health', '/socket.io/?EIO=4'])(
    'that asks too much for %s is told when to come back, and no other address is',
    async (path) => {
      await openGate();
      for (let n = 0; n < 3; n++) expect((await ask({ path })).status).toBe(200);
      const refused = await ask({ path });
      expect(refused.status).toBe(429);
      expect(errorBodySchema.parse(JSON.parse(refused.body))).toMatchObject({ code: 'rate-limited' });
      expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
      expect(refused.headers['x-request-id']).toBeDefined();
      expect((await ask({ path, from: '203.0.113.2' })).status).toBe(200);
      expect(served).toHaveLength(4);
    },
  );

  it.each(['/rtc', '/rtc/v1', '/socket.io/?EIO=4&transport=websocket'])(
    'that knocks too often at %s is told so in a sentence',
    async (path) => {
      await openGate();
      for (let n = 0; n < 3; n++) expect(await upgrade(path)).toContain('101');
      const refused = await upgrade(path);
      expect(refused.slice(0, 31)).toBe('HTTP/1.1 429 Too Many Requests\r');
      errorBodySchema.parse(JSON.parse(refused.slice(refused.indexOf('\r\n\r\n') + 4)));
      expect(await upgrade(path, '203.0.113.2')).toContain('101');
    },
  );

  it('has more addresses in its IPv6 network, and is counted by that, too', async () => {
    await openGate();
    for (let n = 0; n < 3; n++)
      expect((await ask({ path: '/api/open', from: `2001:db8:1:${n}::1` })).status).toBe(200);
    expect((await ask({ path: '/api/open', from: '2001:db8:1:9::1' })).status).toBe(429);
    expect((await ask({ path: '/api/open', from: '2001:db8:2:9::1' })).status).toBe(200);
  });

  it('may use a token of a room no more than others do: one account is behind it', async () => {
    await openGate();
    for (let n = 0; n < 3; n++)
      expect(await upgrade('/rtc?access_token=one', `203.0.113.${n}`)).toContain('101');
    expect(await upgrade('/rtc/v1?access_token=one', '203.0.113.9')).toContain('429');
    expect(await upgrade('/rtc?access_token=two', '203.0.113.9')).toContain('101');
  });

  it('that asks too much of one kind still gets the others: a busy page does not stop its calls', async () => {
    await openGate();
    for (let n = 0; n < 4; n++) await ask({ path: '/assets/page.js' });
    expect((await ask({ path: '/assets/page.js' })).status).toBe(429);
    for (const path of ['/api/open', '/ready', '/socket.io/?EIO=4', '/rtc/v1/validate'])
      expect((await ask({ path })).status, path).toBe(200);
  });

  it('is not counted with RATE_LIMIT=off', async () => {
    await openGate(null);
    for (let n = 0; n < 10; n++) expect((await ask({ path: '/api/open' })).status).toBe(200);
  });
});

describe('a host that nobody allowed', () => {
  it.each(['/', '/api/open', '/ready', '/socket.io/?EIO=4', '/rtc/v1/validate', '/twirp/x'])(
    'is refused at %s, and what to do is said',
    async (path) => {
      await openGate();
      const refused = await ask({ path, headers: { host: 'evil.example.com:3000' } });
      expect(refused.status).toBe(403);
      expect(errorBodySchema.parse(JSON.parse(refused.body)).message).toContain('ALLOWED_HOSTS');
      expect((await ask({ path, headers: { host: 'care.example.com' } })).status).toBe(200);
      expect(served).toHaveLength(1);
    },
  );

  it('is refused an upgrade, too', async () => {
    await openGate();
    expect(await upgrade('/rtc', '203.0.113.1', 'evil.example.com')).toMatch(/^HTTP\/1.1 403 /);
    expect(await upgrade('/socket.io/', '203.0.113.1', 'evil.example.com')).toMatch(/^HTTP\/1.1 403 /);
    expect(served).toEqual([]);
  });
});

describe('an address that is not in its normal form', () => {
  const odd = [
    '/%61pi/open',
    '//api/open',
    '/api//open',
    '/./api/open',
    '/x/../api/open',
    '/%2e%2e/api/open',
    '/api%2Fopen',
    '/api\\open',
    'http://localhost/api/open',
    '/s%6fcket.io/?EIO=4',
    '/%72tc/v1/validate',
    '/hea%6cth',
    '/api/%',
    '*',
  ];

  it.each(odd)('is refused in a sentence before anybody serves it: %s', async (path) => {
    await openGate(null);
    const refused = await ask({ path, method: 'POST' });
    expect(refused.status).toBe(400);
    expect(errorBodySchema.parse(JSON.parse(refused.body)).message).toContain('normal form');
    expect(refused.headers['cache-control']).toBe('no-store');
    expect(await upgrade(path)).toMatch(/^HTTP\/1.1 400 /);
    expect(served).toEqual([]);
  });

  it('counts towards the limit of its sender, and is told as an attempt to pass the gate', async () => {
    await openGate();
    for (let n = 0; n < 3; n++) expect((await ask({ path: odd[n] ?? '' })).status).toBe(400);
    expect((await ask({ path: '/%61pi/open' })).status).toBe(429);
    expect(turnedAway).toEqual([
      ...Array.from({ length: 3 }, () => ['203.0.113.1', 'invalid-input']),
      ['203.0.113.1', 'rate-limited'],
    ]);
  });

  it('is what a name with a slash, a space or an accent in it has not', async () => {
    await openGate(null);
    const paths = ['/api/livekit/rooms/a%2Fb', '/live-call/caf%C3%A9%20noir', '/api/open?q=%61//..'];
    for (const path of paths) expect((await ask({ path })).status, path).toBe(200);
  });
});

it('lets no page of a foreign host read its refusal: that page would be of the same origin', async () => {
  await openGate(null);
  const headers = { host: 'rebind.example.com', origin: 'http://rebind.example.com' };
  const refused = await ask({ path: '/api/open', headers });
  expect(refused.status).toBe(403);
  expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
});

it('lets a page of an allowed origin read why it was refused, and no other', async () => {
  await openGate();
  for (let n = 0; n < 3; n++) await ask({ path: '/api/open' });
  const from = (origin: string) => ask({ path: '/api/open', headers: { origin } });
  const { status, headers } = await from('https://care.example.com');
  expect([status, headers['access-control-allow-origin']]).toEqual([429, 'https://care.example.com']);
  expect(headers['access-control-expose-headers']).toContain('retry-after');
  expect((await from('https://evil.example.com')).headers).not.toHaveProperty('access-control-allow-origin');
});

it('refuses in a way that no browser makes a page of', async () => {
  await openGate(null);
  const { headers } = await ask({ path: '/', headers: { host: 'evil.example.com' } });
  expect(headers).toMatchObject({
    'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  });
});

it('keeps browsers from making a page of what the channel and the room server answer, and to TLS', async () => {
  await openGate(null);
  for (const path of ['/socket.io/?EIO=4', '/rtc/v1/validate', '/twirp/x'])
    expect((await ask({ path })).headers, path).toMatchObject({
      'content-security-policy': expect.stringContaining("frame-ancestors 'none'"),
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'strict-transport-security': 'max-age=31536000; includeSubDomains',
    });
  // The routes behind these doors set their own headers.
  expect((await ask({ path: '/' })).headers).not.toHaveProperty('content-security-policy');
  const refused = { 'strict-transport-security': 'max-age=31536000; includeSubDomains' };
  expect((await ask({ path: '/', headers: { host: 'evil.example.com' } })).headers).toMatchObject(refused);
  expect(await upgrade('/rtc', '203.0.113.1', 'evil.example.com')).toContain(
    'strict-transport-security: max-age',
  );
});

it('tells who was turned away, and why', async () => {
  await openGate();
  await ask({ path: '/', headers: { host: 'evil.example.com' } });
  for (let n = 0; n < 4; n++) await ask({ path: '/api/open', from: '203.0.113.7' });
  await ask({ path: '/socket.io/?EIO=4', method: 'PUT' });
  expect(turnedAway).toEqual([
    ['203.0.113.1', 'forbidden'],
    ['203.0.113.7', 'rate-limited'],
  ]);
});

it('answers what nobody serves with a sentence, instead of a bare error or nothing', async () => {
  await openGate(null);
  for (const method of ['PUT', 'DELETE', 'PATCH', 'HEAD'])
    expect((await ask({ path: '/socket.io/?EIO=4&transport=polling', method })).status, method).toBe(404);
  for (const path of ['/', '/api/me', '/nowhere']) expect(await upgrade(path)).toMatch(/^HTTP\/1.1 404 /);
  expect(served).toEqual([]);
});

it('is open again once it was left', async () => {
  await openGate();
  for (let n = 0; n < 3; n++) await ask({ path: '/api/open' });
  leave();
  expect((await ask({ path: '/api/open' })).status).toBe(200);
  expect(await upgrade('/rtc')).toContain('101');
});
