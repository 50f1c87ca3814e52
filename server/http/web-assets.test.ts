import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { capturedLogger } from '../../tests/support/captured-logger.ts';
import { createHttpServer } from './server.ts';
import { serveWebAssets } from './web-assets.ts';

async function serverOf(folder: string, liveKitUrl: string | null = null): Promise<FastifyInstance> {
  const app = await createHttpServer({
    config: { publicUrl: null, corsOrigins: [] },
    logger: capturedLogger().logger,
    authenticate: async () => null,
    isAllowedOrigin: () => false,
    liveKitUrl,
  });
  await serveWebAssets(app, folder);
  return app;
}

const html = { accept: 'text/html,application/xhtml+xml' };

describe('the built page', () => {
  let folder: string;
  let app: FastifyInstance;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sigma-web-'));
    await mkdir(join(folder, 'assets'));
    await writeFile(join(folder, 'index.html'), '<title>Sigma</title>');
    await writeFile(join(folder, 'favicon.svg'), '<svg/>');
    await writeFile(join(folder, 'assets/app-3f9c.js'), 'run()');
    await writeFile(join(folder, 'assets/app-3f9c.js.gz'), gzipSync('run()'));
    await writeFile(`${folder}-secret`, 'secret');
    app = await serverOf(folder);
  });
  afterAll(async () => {
    await app.close();
    await rm(folder, { recursive: true });
    await rm(`${folder}-secret`);
  });

  it.each(['/', '/login', '/conversations/0190a6c4', '/live-call/my.room%20name', '/agents/edit/x?tab=1'])(
    'is what a person finds at %s, always the newest',
    async (url) => {
      const response = await app.inject({ url, headers: html });
      expect(response.statusCode).toBe(200);
      expect(response.body).toBe('<title>Sigma</title>');
      expect(response.headers['cache-control']).toBe('no-cache');
      expect(response.headers['content-type']).toContain('text/html');
    },
  );

  it.each(['/a%00b', '/a%5cb', '/assets/..%5cx', `/${'x'.repeat(9_000)}`, '/x'.repeat(3_000), '/%ff'])(
    'answers %.20s, which can be no file, as what is not there',
    async (url) => {
      expect((await app.inject({ url: `/api${url}`, headers: html })).statusCode).toBe(404);
      expect((await app.inject({ url, headers: { accept: 'image/png' } })).statusCode).toBe(404);
      expect((await app.inject({ url: `/live-call${url}`, headers: html })).statusCode).toBeLessThan(500);
    },
  );

  it.each([
    [{ range: 'bytes=999-' }, 416],
    [{ range: 'bytes=what' }, 416],
    [{ 'if-match': '"another"' }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
  ])('is refused to %j, without a failure', async (headers, status) => {
    const response = await app.inject({ url: '/assets/app-3f9c.js', headers });
    expect(response.statusCode).toBe(status);
    expect(response.json().message).toMatch(/^This file .+\.$/);
  });

  it('is what a person finds under a room whose name has a backslash', async () => {
    expect((await app.inject({ url: '/live-call/a%5Cb', headers: html })).body).toBe('<title>Sigma</title>');
  });

  it('is what a program finds that takes anything', async () => {
    for (const headers of [{}, { accept: '*/*' }])
      expect((await app.inject({ url: '/login', headers })).body).toBe('<title>Sigma</title>');
  });

  it('keeps its hashed files for ever, compressed where a browser takes that', async () => {
    const plain = await app.inject('/assets/app-3f9c.js');
    expect(plain.body).toBe('run()');
    expect(plain.headers['cache-control']).toBe('public, max-age=31536000, immutable');
    const small = await app.inject({ url: '/assets/app-3f9c.js', headers: { 'accept-encoding': 'gzip' } });
    expect(small.headers['content-encoding']).toBe('gzip');
    expect((await app.inject('/favicon.svg')).headers['cache-control']).toBe('no-cache');
  });

  it('is not what a missing file, a missing API route or a script finds', async () => {
    for (const [url, headers] of [
      ['/assets/gone-1234.js', html],
      ['/api/gone', html],
      ['/socket.io/?x', html],
      ['/login', { accept: 'application/json' }],
      ['/missing.js', { accept: '*/*' }],
    ] as const) {
      const response = await app.inject({ url, headers });
      expect(response.statusCode).toBe(404);
      expect(response.json()).toMatchObject({ code: 'not-found' });
    }
    expect((await app.inject({ method: 'POST', url: '/login', headers: html })).statusCode).toBe(404);
  });

  it('is asked about by HEAD as well', async () => {
    const response = await app.inject({ method: 'HEAD', url: '/login', headers: html });
    expect(response.statusCode).toBe(200);
    expect(response.body).toBe('');
  });

  it.each([
    '/..%2f..%2fetc/passwd',
    '/assets/..%2f..%2fetc/passwd',
    '/%2e%2e/%2e%2e/etc/passwd',
    '/.%00./index.html',
    '/assets/%5c..%5c..%5cx',
  ])('lets nobody out of its folder: %s', async (url) => {
    const response = await app.inject({ url, headers: { accept: '*/*' } });
    // A path that stays inside after normalisation, such as /etc/passwd, is a page address like any other.
    if (response.statusCode < 400) expect(response.body).toBe('<title>Sigma</title>');
    expect(response.body).not.toMatch(/root:|secret/);
  });

  it('may only run its own scripts and talk to its own server', async () => {
    const policy = String(
      (await app.inject({ url: '/', headers: { host: 'care.example.com' } })).headers[
        'content-security-policy'
      ],
    );
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("connect-src 'self' ws://care.example.com wss://care.example.com;");
    expect(policy).toContain("media-src 'self' data: blob:;");
    const odd = await app.inject({ url: '/', headers: { host: 'x; script-src *' } });
    expect(String(odd.headers['content-security-policy'])).not.toContain('script-src *');
  });
});

it('lets the page talk to the LiveKit server of the settings', async () => {
  const app = await serverOf('/nowhere', 'wss://rooms.example.com');
  const { headers } = await app.inject({ url: '/' });
  expect(headers['content-security-policy']).toContain(' wss://rooms.example.com https://rooms.example.com;');
  await app.close();
});

it('serves nothing where no page was built', async () => {
  const app = await serverOf('/nowhere');
  expect((await app.inject({ url: '/', headers: html })).statusCode).toBe(404);
  await app.close();
});
