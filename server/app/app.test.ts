import { get } from 'node:http';
import { connect } from 'node:net';
import { io } from 'socket.io-client';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createFakeParticipants } from '#server/engines/participants/fake';
import { createFakeReading } from '#server/engines/reading/fake';
import { createFakeRecognition } from '#server/engines/recognition/fake';
import { createFakeRooms } from '#server/engines/rooms/fake';
import { createFakeSentiment } from '#server/engines/sentiment/fake';
import { MemoryState } from '#server/engines/shared-state/memory';
import { createFakeVoiceActivity } from '#server/engines/voice-activity/fake';
import { type EngineStatus, serverStatusSchema } from '#shared/status';
import { aPassword, aRegistration } from '../../tests/factories.ts';
import { silentVoice } from '../../tests/support/fake-engines.ts';
import { openTestApp, type TestApp } from '../../tests/support/test-app.ts';

let app: TestApp;
let voice: EngineStatus = { state: 'ready', message: 'The voice is ready.' };
let shared: EngineStatus = { state: 'ready', message: 'It is there.' };
const reading: EngineStatus = { state: 'ready', message: 'The reader is ready.' };
beforeAll(async () => {
  app = await openTestApp({
    engines: {
      sharedState: Object.assign(new MemoryState(new MemoryState()), { status: () => shared }),
      synthesis: { ...silentVoice(), status: () => voice },
      reading: { ...createFakeReading(), status: () => reading },
      models: () => [],
      sentiment: createFakeSentiment(),
      recognition: createFakeRecognition(),
      voiceActivity: createFakeVoiceActivity(),
      rooms: createFakeRooms(),
      participants: createFakeParticipants(),
    },
  });
});
afterAll(() => app.close());

describe('GET /ready', () => {
  it('answers 200 when everything is there', async () => {
    const response = await app.server.inject('/ready');
    expect(response.statusCode).toBe(200);
    expect(response.json()).toEqual({ status: 'ready' });
  });

  it('answers 503 with what is missing', async () => {
    voice = { state: 'fetching', progress: 0.4, message: 'The voice is being fetched.' };
    const response = await app.server.inject('/ready');
    expect(response.statusCode).toBe(503);
    expect(response.json()).toEqual({
      status: 'not ready',
      missing: { voice: 'The voice is being fetched.' },
      text: true,
    });
    expect((await app.server.inject('/health')).statusCode).toBe(200);
    voice = { state: 'ready', message: 'The voice is ready.' };
  });

  it('answers 200 to who wants text alone while only the voice is missing, and says what is', async () => {
    voice = { state: 'fetching', progress: 0.4, message: 'The voice is being fetched.' };
    const response = await app.server.inject('/ready?for=text');
    expect([response.statusCode, response.json()]).toEqual([
      200,
      { status: 'ready', degraded: { voice: 'The voice is being fetched.' } },
    ]);
    voice = { state: 'ready', message: 'The voice is ready.' };
  });

  it('answers 200 while what instances share is away, and says so', async () => {
    shared = { state: 'failed', message: 'The server is away.' };
    for (const url of ['/ready', '/ready?for=text']) {
      const response = await app.server.inject(url);
      expect([response.statusCode, response.json()]).toEqual([
        200,
        { status: 'ready', degraded: { 'shared state': 'The server is away.' } },
      ]);
    }
    shared = { state: 'ready', message: 'It is there.' };
  });

  it('answers 503 to who wants text alone while nothing can be read', async () => {
    const { state, message } = reading;
    Object.assign(reading, { state: 'loading', message: 'The reader is being loaded.' });
    const response = await app.server.inject('/ready?for=text');
    expect([response.statusCode, response.json()]).toEqual([
      503,
      { status: 'not ready', missing: { reading: 'The reader is being loaded.' }, text: false },
    ]);
    Object.assign(reading, { state, message });
  });

  it('asks the database once, however many want to know', async () => {
    const asked = vi.spyOn(app.database, 'ping');
    const answers = await Promise.all(Array.from({ length: 50 }, () => app.server.inject('/ready')));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(50).fill(200));
    expect(asked.mock.calls.length).toBeLessThanOrEqual(1);
    asked.mockRestore();
  });
});

it('GET /api/status says which brain and voice answer, to those who are signed in', async () => {
  expect((await app.server.inject('/api/status')).statusCode).toBe(401);
  const { token } = await app.signUp();
  expect(serverStatusSchema.parse((await app.as(token, 'GET', '/api/status')).json())).toEqual({
    brain: {
      name: 'Grounded responder',
      kind: 'grounded',
      status: { state: 'ready', message: 'The reader is ready.' },
    },
    voice: { name: 'Silent voice', status: voice },
    ears: { name: 'Fake ears', status: { state: 'ready', message: 'The ears are ready.' } },
    policy: { retentionDays: null, audioStaysHere: false },
  });
});

interface Description {
  paths: Record<string, Record<string, { responses: object; security?: unknown[]; requestBody?: object }>>;
}
const describedApi = async () => (await app.server.inject('/api/openapi.json')).json<Description>();

describe('the description of the API', () => {
  it('has every route, each with what it answers, and no reference that leads nowhere', async () => {
    const description = await describedApi();
    const described = Object.entries(description.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(described).toEqual(
      expect.arrayContaining([
        'POST /api/auth/register',
        'POST /api/auth/login',
        'GET /api/auth/me',
        'POST /api/auth/logout',
        'GET /api/status',
        'GET /health',
        'GET /ready',
      ]),
    );
    const text = JSON.stringify(description);
    for (const [, path = ''] of text.matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const target = path
        .split('/')
        .reduce<unknown>((at, key) => (at instanceof Object ? Reflect.get(at, key) : undefined), description);
      expect(target, path).toBeDefined();
    }
    expect(description.paths['/api/auth/me']?.get?.responses).toHaveProperty('4XX');
  });

  it('can be browsed without a token, under the policy of the page, which lets its files work', async () => {
    const page = await app.server.inject('/api/docs/');
    expect(page.statusCode).toBe(200);
    const scripts = [...page.body.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, url = '']) => url);
    expect(scripts.length).toBeGreaterThan(2);
    for (const script of scripts)
      expect(
        (await app.server.inject(new URL(script, 'http://x/api/docs/').pathname)).statusCode,
        script,
      ).toBe(200);
    expect(page.body).not.toMatch(/<script>(?!\s*<)/);
    expect(page.headers['content-security-policy']).toContain("default-src 'self'");
  });
});

describe('every route of the API', () => {
  it('asks for a token, unless it is described as public', async () => {
    const { paths } = await describedApi();
    for (const [path, methods] of Object.entries(paths))
      for (const [method, { security }] of Object.entries(methods)) {
        const url = path.replaceAll(/\{\w+\}/g, '0190a6c4-7e2b-7c3a-9d5e-1f2a3b4c5d6e');
        const { statusCode } = await app.server.inject({ method: method.toUpperCase() as 'GET', url });
        if (security?.length === 0) expect(statusCode, `${method} ${path}`).not.toBe(401);
        else expect(statusCode, `${method} ${path}`).toBe(401);
      }
  });
});

describe('a sign-out', () => {
  it('ends the real-time connections of that session, and no others', async () => {
    const address = await app.listen();
    const { token, user } = await app.signUp();
    const other = await app.server.inject({
      method: 'POST',
      url: '/api/auth/login',
      body: { email: user.email, password: aPassword },
    });
    const connect = async (auth: string) => {
      const socket = io(address, {
        auth: { token: auth },
        transports: ['websocket'],
        reconnection: false,
        forceNew: true,
      });
      await new Promise<void>((resolve, reject) => {
        socket.on('connect', resolve);
        socket.on('connect_error', reject);
      });
      return socket;
    };
    const [ending, staying] = [await connect(token), await connect(other.json().token)];
    const ended = new Promise((resolve) => ending.on('disconnect', resolve));
    await app.as(token, 'POST', '/api/auth/logout');
    await ended;
    expect(staying.connected).toBe(true);
    staying.disconnect();
  });
});

describe('the front gate', () => {
  it('stands before everything the port serves', async () => {
    const { port } = new URL(app.server.listeningOrigin);
    for (const path of ['/', '/health', '/api/openapi.json', '/socket.io/?EIO=4&transport=polling']) {
      const status = (host: string) =>
        new Promise((resolve, reject) => {
          get({ port, host: '127.0.0.1', path, headers: { host } }, (answer) => {
            answer.resume();
            resolve(answer.statusCode);
          }).on('error', reject);
        });
      expect(await status('evil.example.com'), path).toBe(403);
      expect(await status('localhost'), path).not.toBe(403);
    }
  });
});

describe('closing', () => {
  it('finishes a request that is under way, takes no other, and does not wait for idle connections', async () => {
    const closing = await openTestApp();
    const { port } = new URL(await closing.listen());
    const body = JSON.stringify(aRegistration());
    const [idle, busy] = [connect(Number(port), '127.0.0.1'), connect(Number(port), '127.0.0.1')];
    let answer = '';
    busy.on('data', (chunk) => {
      answer += chunk;
    });
    const answered = new Promise((resolve) => busy.on('close', resolve));
    const ended = new Promise((resolve) => idle.on('close', resolve));
    busy.write(
      `POST /api/auth/register HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body.slice(0, 10)}`,
    );
    await expect.poll(() => connectionsOf(closing)).toBe(2);
    await new Promise((resolve) => setTimeout(resolve, 100));
    const closed = closing.close();
    busy.write(body.slice(10));
    await answered;
    expect(answer).toMatch(/^HTTP\/1.1 201 /);
    await ended;
    await closed;
    await expect(fetch(`http://127.0.0.1:${port}/health`)).rejects.toThrow();
  });
});

const connectionsOf = ({ server }: TestApp) =>
  new Promise<number>((resolve) => server.server.getConnections((_error, count) => resolve(count)));

describe('with rate limits', () => {
  it('guessing at an account ends in 429 with the time to wait, elsewhere its owner still signs in', async () => {
    const limited = await openTestApp({ config: { publicUrl: null, corsOrigins: [], rateLimit: true } });
    const { user } = await limited.signUp();
    const login = (password: string, remoteAddress: string) =>
      limited.server.inject({
        method: 'POST',
        url: '/api/auth/login',
        remoteAddress,
        body: { email: user.email, password },
      });
    for (let n = 0; n < 6; n++) expect((await login('wrong password', '10.0.0.1')).statusCode).toBe(401);
    const refused = await login('wrong password', '10.0.0.1');
    expect(refused.statusCode).toBe(429);
    expect(refused.json()).toMatchObject({
      message: 'Too many attempts. Please wait a moment and try again.',
      code: 'rate-limited',
    });
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
    expect((await login(aPassword, '10.0.0.2')).statusCode).toBe(200);
    await limited.close();
  });
});
